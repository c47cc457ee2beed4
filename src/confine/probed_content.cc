#include "confine/probed_content.h"

#include <utility>

#include "base/try.h"
#include "confine/expected_check.h"
#include "confine/file.h"
#include "confine/refusal.h"
#include "confine/root_elsewhere.h"
#include "confine/temporary_name.h"
#include "confine/tree.h"
#include "confine/visibility.h"
#include "platform/attributes.h"
#include "platform/file_io.h"
#include "platform/link.h"
#include "platform/open.h"

namespace cordon::confine {
namespace {

using platform::FileStat;
using platform::FileType;
using platform::OpenIntent;

Error AnotherObject(std::string_view name) {
  return StaleError(name, "another object has come in its place while it was kept");
}

Error TooLarge(std::size_t limit) {
  Error error;
  error.code = ErrorCode::kTooLarge;
  error.op = "keep";
  error.detail = "the file is larger than " + std::to_string(limit) + " bytes";
  return error;
}

Result<FileContent> ReadFile(int directory, const std::string& name, const FileStat& seen,
                             std::size_t limit) {
  if (seen.size > limit) return TooLarge(limit);
  TRY_ASSIGN(const platform::UniqueFd file,
             platform::OpenEntry(directory, name.c_str(), OpenIntent::kRead));
  FileContent content;
  TRY_ASSIGN(content.stat, platform::StatDescriptor(file.get()));
  if (content.stat.identity != seen.identity || content.stat.type != FileType::kRegular) {
    return AnotherObject(name);
  }
  TRY_ASSIGN(content.bytes, ReadToEnd(file.get(), limit));
  TRY_ASSIGN(content.attributes, platform::ReadAttributes(file.get()));
  TRY_ASSIGN(const FileStat after, platform::StatDescriptor(file.get()));
  if (after.size != content.bytes.size() || after.size != content.stat.size ||
      after.modified_ns != content.stat.modified_ns) {
    return StaleError(name, "the content changed while it was kept");
  }
  return content;
}

Result<std::string> ReadLinkOf(int directory, const std::string& name, const FileStat& seen) {
  TRY_ASSIGN(const platform::UniqueFd link,
             platform::OpenEntry(directory, name.c_str(), OpenIntent::kReference));
  TRY_ASSIGN(const FileStat stat, platform::StatDescriptor(link.get()));
  if (stat.identity != seen.identity || stat.type != FileType::kSymlink) return AnotherObject(name);
  return platform::ReadLinkText(link.get());
}

std::string NameOf(const Probed& probed) { return probed.path.substr(probed.path.rfind('/') + 1); }

}  // namespace

Result<FileContent> ReadProbedFile(const Probed& probed, std::size_t limit) {
  return ReadFile(probed.held_directory.get(), NameOf(probed), probed.stat, limit);
}

Result<FileContent> ReadEntryFile(const ProbedEntry& entry, std::size_t limit) {
  return ReadFile(entry.directory, entry.name, entry.stat, limit);
}

Result<std::string> ReadProbedLink(const Probed& probed) {
  return ReadLinkOf(probed.held_directory.get(), NameOf(probed), probed.stat);
}

Result<std::string> ReadEntryLink(const ProbedEntry& entry) {
  return ReadLinkOf(entry.directory, entry.name, entry.stat);
}

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

Status Root::WalkProbed(const Probed& top, const WalkLimits& limits,
                        const std::function<Status(const ProbedEntry&)>& visit) const {
  if (state_->elsewhere) return UnsupportedElsewhere("walk");
  const auto go_through = [&](const TreeVisitor& visitor) -> Status {
    TRY_ASSIGN(platform::UniqueFd start, platform::ReopenDirectory(top.held_object.get()));
    return TraverseTree(*state_, std::move(start), limits, platform::MountCrossing::kRefuse,
                        AtMount::kFail, visitor);
  };
  // What will be refused is not to be copied first.
  TreeVisitor survey;
  survey.enter = [&](const TreeEntry& entry) { return RefuseHidden(*state_, top.path, entry); };
  TRY(go_through(survey));
  TreeVisitor keeping;
  keeping.enter = [&](const TreeEntry& entry) -> Result<WalkStep> {
    if (IsTemporary(entry.name)) return WalkStep::kSkipBelow;
    TRY(visit({entry.directory, entry.name, entry.path, entry.stat}));
    return WalkStep::kContinue;
  };
  return go_through(keeping);
}

}  // namespace cordon::confine
