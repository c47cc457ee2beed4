// Root::Remove and RemoveAll.
#include <cerrno>

#include "base/try.h"
#include "confine/aside.h"
#include "confine/expected_check.h"
#include "confine/refusal.h"
#include "confine/resolution.h"
#include "confine/root.h"
#include "confine/root_elsewhere.h"
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

// Whatever else may be done in other mounts, what is in them is not removed.
platform::MountCrossing CrossingIn(const RootState& root) {
  return root.options.mounts_below == RootOptions::MountsBelow::kNone
             ? platform::MountCrossing::kAllow
             : platform::MountCrossing::kRefuse;
}

// Refuses if anything below `top`, which is at `place`, may not be removed.
Status Survey(const RootState& root, const Place& place, platform::UniqueFd top) {
  TreeVisitor survey;
  survey.enter = [&](const TreeEntry& entry) { return RefuseHidden(root, place.path, entry); };
  return TraverseTree(root, std::move(top), kNoLimits, CrossingIn(root), AtMount::kFail, survey);
}

Status RemoveBelow(const RootState& root, const Place& place, platform::UniqueFd top) {
  TreeVisitor removal;
  removal.enter = [&](const TreeEntry& entry) -> Result<WalkStep> {
    // Again, by name and at the moment of use: the tree may have changed.
    TRY(RefuseHidden(root, place.path, entry));
    if (entry.stat.type == FileType::kDirectory) return WalkStep::kContinue;
    TRY(platform::RemoveFile(entry.directory, entry.name.c_str()));
    return WalkStep::kContinue;
  };
  removal.leave = [](const TreeEntry& entry) {
    return platform::RemoveDirectory(entry.directory, entry.name.c_str());
  };
  return TraverseTree(root, std::move(top), kNoLimits, CrossingIn(root), AtMount::kFail, removal);
}

// Removes the entry only if it is that object, with that content where one is expected.
// One that is not gets its name back, and so does a directory that is not empty.
Status RemoveExpected(const RootState& root, const Place& place, const FileStat& object,
                      const Expected& expected) {
  const Patience patience = root.options.race_deadline;
  const auto check = [&](const std::string& name) -> Status {
    if (!expected.content) return {};
    return CheckContent(place.directory.get(), name.c_str(), &object.identity, *expected.content,
                        object.size);
  };
  // Once before anything moves, so that in peace nobody sees the name free twice.
  TRY(check(place.name));
  const std::string aside = TemporaryNameFor(expected);
  if (Status taken = TakeAside(place, aside, object.identity, patience); !taken) {
    const bool looks_first =
        root.options.without_exchange == RootOptions::WithoutExchange::kLookFirst;
    if (!looks_first || !LacksRenameFlags(taken.error())) return taken;
    TRY_ASSIGN(const FileStat still, StatPlace(root, place));
    TRY(CheckObject(expected, still));
    return RemoveAside(place, place.name, object.type);
  }
  Status removed = check(aside);
  if (removed) removed = RemoveAside(place, aside, object.type);
  if (removed) return removed;
  return PutBack(place, aside, patience, std::move(removed.error()));
}

}  // namespace

Status Root::Remove(std::string_view untrusted, const Expected& expected) const {
  if (state_->elsewhere) return state_->elsewhere->Remove(untrusted, expected);
  TRY_ASSIGN(const path::Request request, path::ParsePosix(untrusted, state_->spellings));
  TRY(CheckWritable(*state_, Operation::kDelete));
  Resolution resolution(*state_, Operation::kDelete);
  TRY_ASSIGN(const Place place,
             LocateExpected(resolution, request, FinalSymlink::kNoFollow, expected));
  TRY_ASSIGN(const FileStat stat, OrStale(expected, StatPlace(*state_, place)));
  TRY(CheckObject(expected, stat));
  if (stat.type == FileType::kSymlink) TRY(CheckNothingCoveredBelow(*state_, place));
  if (!expected.any() || expected.content) {
    return RemoveExpected(*state_, place, stat, expected);
  }
  if (stat.type == FileType::kDirectory) {
    return platform::RemoveDirectory(place.directory.get(), place.name.c_str());
  }
  return platform::RemoveFile(place.directory.get(), place.name.c_str());
}

Status Root::RemoveAll(std::string_view untrusted, const Expected& expected) const {
  if (state_->elsewhere) return state_->elsewhere->RemoveAll(untrusted, expected);
  TRY_ASSIGN(const path::Request request, path::ParsePosix(untrusted, state_->spellings));
  TRY(CheckWritable(*state_, Operation::kDelete));
  Resolution resolution(*state_, Operation::kDelete);
  TRY_ASSIGN(const Place place,
             LocateExpected(resolution, request, FinalSymlink::kNoFollow, expected));
  TRY_ASSIGN(const FileStat stat, OrStale(expected, StatPlace(*state_, place)));
  TRY(CheckObject(expected, stat));
  if (stat.type == FileType::kSymlink) TRY(CheckNothingCoveredBelow(*state_, place));
  if (stat.type != FileType::kDirectory) {
    if (!expected.any()) return RemoveExpected(*state_, place, stat, expected);
    return platform::RemoveFile(place.directory.get(), place.name.c_str());
  }
  const auto open_top = [&] {
    return platform::OpenEntry(place.directory.get(), place.name.c_str(),
                               platform::OpenIntent::kListDirectory);
  };
  TRY_ASSIGN(platform::UniqueFd surveyed, OrStale(expected, open_top()));
  TRY(CheckDescriptor(expected, surveyed.get()));
  if (CrossingIn(*state_) == platform::MountCrossing::kRefuse) {
    TRY_ASSIGN(const std::uint64_t mount, platform::MountIdOf(surveyed.get()));
    if (!state_->mount || mount != *state_->mount) return MountError(place.name);
  }
  if (expected.any()) {
    TRY(Survey(*state_, place, std::move(surveyed)));
    TRY_ASSIGN(platform::UniqueFd top, open_top());
    TRY(RemoveBelow(*state_, place, std::move(top)));
    return platform::RemoveDirectory(place.directory.get(), place.name.c_str());
  }
  // What was expected is looked up once.
  TRY_ASSIGN(platform::UniqueFd top, platform::ReopenDirectory(surveyed.get()));
  TRY(Survey(*state_, place, std::move(surveyed)));
  TRY(RemoveBelow(*state_, place, std::move(top)));
  return RemoveExpected(*state_, place, stat, expected);
}

}  // namespace cordon::confine
