#include "confine/tree.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>
#include <vector>

#include "base/try.h"
#include "confine/refusal.h"
#include "platform/directory.h"

namespace cordon::confine {
namespace {

using platform::FileIdentity;
using platform::FileStat;
using platform::FileType;
using platform::OpenIntent;
using platform::UniqueFd;

// One directory that is being visited.
struct Level {
  FileIdentity identity;
  FileStat stat;                   // when it was entered
  std::vector<std::string> names;  // still to visit, last first
  std::string name;                // in its parent; empty at the start
};

class Traversal {
 public:
  Traversal(const RootState& root, UniqueFd start, const WalkLimits& limits,
            platform::MountCrossing mounts, AtMount at_mount, const TreeVisitor& visitor)
      : root_(root),
        current_(std::move(start)),
        limits_(limits),
        mounts_(mounts),
        at_mount_(at_mount),
        visitor_(visitor) {}

  Status Run() {
    TRY_ASSIGN(const FileStat start, platform::StatDescriptor(current_.get()));
    TRY(Push("", start));
    while (true) {
      Level& level = levels_.back();
      if (level.names.empty()) {
        if (levels_.size() == 1) return {};
        TRY(Pop());
        continue;
      }
      const std::string name = std::move(level.names.back());
      level.names.pop_back();
      TRY_ASSIGN(const WalkStep step, Visit(name));
      if (step == WalkStep::kStop) return {};
    }
  }

 private:
  Result<WalkStep> Visit(const std::string& name) {
    if (++visited_ > limits_.max_entries) return LimitError("entries", limits_.max_entries);
    auto stat = platform::StatEntry(current_.get(), name.c_str());
    if (!stat) {
      if (stat.error().os_errno == ENOENT) return WalkStep::kContinue;  // gone meanwhile
      return std::move(stat.error());
    }
    const std::size_t length = path_.size();
    if (!path_.empty()) path_ += '/';
    path_ += name;
    TRY_ASSIGN(const WalkStep step, visitor_.enter({current_.get(), name, path_, *stat}));
    if (step == WalkStep::kContinue && stat->type == FileType::kDirectory) {
      TRY_ASSIGN(const bool entered, Enter(name));
      if (entered) return step;  // the longer path stays until Pop
    }
    path_.resize(length);
    return step;
  }

  Result<bool> Enter(const std::string& name) {
    auto entry = platform::OpenEntry(current_.get(), name.c_str(), OpenIntent::kReference);
    if (!entry) {
      if (entry.error().os_errno == ENOENT) return false;
      return std::move(entry.error());
    }
    TRY_ASSIGN(const FileStat stat, platform::StatDescriptor(entry->get()));
    if (stat.type != FileType::kDirectory) return false;  // swapped meanwhile
    if (mounts_ == platform::MountCrossing::kRefuse) {
      TRY_ASSIGN(const std::uint64_t mount, platform::MountIdOf(entry->get()));
      if (!root_.mount || mount != *root_.mount) {
        if (at_mount_ == AtMount::kFail) return MountError(name);
        return false;
      }
    }
    if (levels_.size() > limits_.max_depth) return LimitError("levels", limits_.max_depth);
    current_ = std::move(*entry);
    TRY(Push(name, stat));
    return true;
  }

  Status Push(const std::string& name, const FileStat& stat) {
    Level level{stat.identity, stat, {}, name};
    TRY(platform::ReadEntries(current_.get(), [&](std::string_view entry, FileType) {
      level.names.emplace_back(entry);
      return visited_ + level.names.size() > limits_.max_entries ? platform::ReadMore::kStop
                                                                 : platform::ReadMore::kYes;
    }));
    std::sort(level.names.begin(), level.names.end(), std::greater<>());
    levels_.push_back(std::move(level));
    return {};
  }

  Status Pop() {
    TRY_ASSIGN(UniqueFd parent, platform::OpenEntry(current_.get(), "..", OpenIntent::kReference));
    TRY_ASSIGN(const FileStat stat, platform::StatDescriptor(parent.get()));
    const Level done = std::move(levels_.back());
    levels_.pop_back();
    if (stat.identity != levels_.back().identity) return RaceError();
    current_ = std::move(parent);
    if (visitor_.leave) TRY(visitor_.leave({current_.get(), done.name, path_, done.stat}));
    path_.resize(path_.size() - done.name.size());
    if (!path_.empty()) path_.pop_back();
    return {};
  }

  static Error LimitError(std::string_view what, std::size_t limit) {
    Error error;
    error.code = ErrorCode::kLimitExceeded;
    error.op = "walk";
    error.detail = "more than " + std::to_string(limit) + " " + std::string(what);
    return error;
  }

  const RootState& root_;
  UniqueFd current_;
  const WalkLimits& limits_;
  platform::MountCrossing mounts_;
  AtMount at_mount_;
  const TreeVisitor& visitor_;
  std::vector<Level> levels_;
  std::string path_;
  std::size_t visited_ = 0;
};

}  // namespace

Status TraverseTree(const RootState& root, UniqueFd start, const WalkLimits& limits,
                    platform::MountCrossing mounts, AtMount at_mount, const TreeVisitor& visitor) {
  return Traversal(root, std::move(start), limits, mounts, at_mount, visitor).Run();
}

}  // namespace cordon::confine
