// Root::Rename, within a root and between two.
#include <cerrno>

#include "base/try.h"
#include "confine/expected_check.h"
#include "confine/expected_move.h"
#include "confine/refusal.h"
#include "confine/resolution.h"
#include "confine/root.h"
#include "confine/root_elsewhere.h"
#include "platform/directory.h"

namespace cordon::confine {
namespace {

Error Explain(Error error) {
  if (error.os_errno == EXDEV) {
    error.code = ErrorCode::kUnsupported;
    error.detail = "the two places are on different file systems";
  } else if (error.os_errno == EINVAL && error.code != ErrorCode::kUnsupported) {
    error.code = ErrorCode::kInvalidPath;
    error.detail = "a directory cannot be moved below itself";
  }
  return error;
}

}  // namespace

Status Root::Rename(std::string_view from, const Root& target, std::string_view to,
                    const Expected& expected_from, const Expected& expected_to) const {
  if (state_->elsewhere != target.state_->elsewhere) return UnsupportedElsewhere("rename");
  if (state_->elsewhere) {
    return state_->elsewhere->Rename(from, to, expected_from, expected_to);
  }
  const RootState& source_root = *state_;
  const RootState& target_root = *target.state_;
  TRY_ASSIGN(const path::Request source, path::ParsePosix(from, source_root.spellings));
  TRY_ASSIGN(const path::Request destination, path::ParsePosix(to, target_root.spellings));
  TRY(CheckWritable(source_root, Operation::kRename));
  TRY(CheckWritable(target_root, Operation::kRename));
  Resolution old_resolution(source_root, Operation::kRename);
  TRY_ASSIGN(const Place old_place,
             LocateExpected(old_resolution, source, FinalSymlink::kNoFollow, expected_from));
  Resolution new_resolution(target_root, Operation::kRename);
  TRY_ASSIGN(const Place new_place,
             LocateExpected(new_resolution, destination, FinalSymlink::kNoFollow, expected_to));
  auto stat = OrStale(expected_from,
                      platform::StatEntry(old_place.directory.get(), old_place.name.c_str()));
  if (!stat) return ExplainNotFound(source_root, std::move(stat.error()));
  TRY(CheckObject(expected_from, *stat));
  const bool is_directory = stat->type == platform::FileType::kDirectory;
  if (is_directory || stat->type == platform::FileType::kSymlink) {
    TRY(CheckNothingCoveredBelow(source_root, old_place));
    TRY(CheckNothingCoveredBelow(target_root, new_place));
  }
  if (!is_directory && (old_place.must_be_directory || new_place.must_be_directory)) {
    return NotADirectoryError(old_place.must_be_directory ? old_place.name : new_place.name);
  }
  Status renamed;
  if (expected_from.any() && expected_to.any()) {
    renamed = platform::RenameEntry(old_place.directory.get(), old_place.name.c_str(),
                                    new_place.directory.get(), new_place.name.c_str());
  } else {
    renamed =
        ExpectedMove(source_root, old_place, new_place, *stat, expected_from, expected_to).Run();
  }
  if (renamed) return {};
  return Explain(std::move(renamed.error()));
}

}  // namespace cordon::confine
