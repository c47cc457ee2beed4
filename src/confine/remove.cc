// Root::Remove and RemoveAll.
#include <cerrno>

#include "base/try.h"
#include "confine/refusal.h"
#include "confine/resolution.h"
#include "confine/root.h"
#include "confine/tree.h"
#include "confine/visibility.h"
#include "platform/directory.h"

namespace cordon::confine {
namespace {

using platform::FileStat;
using platform::FileType;

constexpr WalkLimits kNoLimits{static_cast<std::size_t>(-1) / 2, static_cast<std::size_t>(-1) / 2};

Result<FileStat> StatPlace(const RootState& root, const Place& place) {
  auto stat = platform::StatEntry(place.directory.get(), place.name.c_str());
  if (!stat) return ExplainNotFound(root, std::move(stat.error()));
  if (place.must_be_directory && stat->type != FileType::kDirectory) {
    return NotADirectoryError(place.name);
  }
  return stat;
}

// What a deny rule covers may not be removed with its parent either.
Result<WalkStep> RefuseHidden(const RootState& root, const std::string& base,
                              const TreeEntry& entry) {
  std::string parent = base;
  if (entry.path.size() > entry.name.size()) {
    parent += '/';
    parent.append(entry.path, 0, entry.path.size() - entry.name.size() - 1);
  }
  const Visibility visibility(root, entry.directory, std::move(parent), Operation::kDelete);
  if (!visibility.Shows(entry.name)) return ProtectedBelowError(entry.name);
  return WalkStep::kContinue;
}

}  // namespace

Status Root::Remove(std::string_view untrusted, const Expected& /*expected*/) const {
  TRY_ASSIGN(const path::Request request, path::ParsePosix(untrusted, state_->spellings));
  TRY(CheckWritable(*state_, Operation::kDelete));
  Resolution resolution(*state_, Operation::kDelete);
  TRY_ASSIGN(const Place place, resolution.Locate(request, FinalSymlink::kNoFollow));
  TRY_ASSIGN(const FileStat stat, StatPlace(*state_, place));
  if (stat.type == FileType::kDirectory) {
    return platform::RemoveDirectory(place.directory.get(), place.name.c_str());
  }
  return platform::RemoveFile(place.directory.get(), place.name.c_str());
}

Status Root::RemoveAll(std::string_view untrusted, const Expected& /*expected*/) const {
  TRY_ASSIGN(const path::Request request, path::ParsePosix(untrusted, state_->spellings));
  TRY(CheckWritable(*state_, Operation::kDelete));
  Resolution resolution(*state_, Operation::kDelete);
  TRY_ASSIGN(const Place place, resolution.Locate(request, FinalSymlink::kNoFollow));
  TRY_ASSIGN(const FileStat stat, StatPlace(*state_, place));
  if (stat.type != FileType::kDirectory) {
    return platform::RemoveFile(place.directory.get(), place.name.c_str());
  }
  const auto open_top = [&] {
    return platform::OpenEntry(place.directory.get(), place.name.c_str(),
                               platform::OpenIntent::kListDirectory);
  };
  TreeVisitor survey;
  survey.enter = [&](const TreeEntry& entry) { return RefuseHidden(*state_, place.path, entry); };
  TRY_ASSIGN(platform::UniqueFd surveyed, open_top());
  TRY_ASSIGN(const std::uint64_t mount, platform::MountIdOf(surveyed.get()));
  if (!state_->mount || mount != *state_->mount) return MountError(place.name);
  TRY(TraverseTree(*state_, std::move(surveyed), kNoLimits, platform::MountCrossing::kRefuse,
                   AtMount::kFail, survey));
  TreeVisitor removal;
  removal.enter = [&](const TreeEntry& entry) -> Result<WalkStep> {
    // Again, by name and at the moment of use: the tree may have changed.
    TRY(RefuseHidden(*state_, place.path, entry));
    if (entry.stat.type == FileType::kDirectory) return WalkStep::kContinue;
    TRY(platform::RemoveFile(entry.directory, entry.name.c_str()));
    return WalkStep::kContinue;
  };
  removal.leave = [](const TreeEntry& entry) {
    return platform::RemoveDirectory(entry.directory, entry.name.c_str());
  };
  TRY_ASSIGN(platform::UniqueFd top, open_top());
  TRY(TraverseTree(*state_, std::move(top), kNoLimits, platform::MountCrossing::kRefuse,
                   AtMount::kFail, removal));
  return platform::RemoveDirectory(place.directory.get(), place.name.c_str());
}

}  // namespace cordon::confine
