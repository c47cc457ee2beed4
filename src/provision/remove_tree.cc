#include "provision/remove_tree.h"

#include <cerrno>
#include <string>
#include <utility>
#include <vector>

#include "base/try.h"
#include "platform/directory.h"
#include "platform/file_stat.h"
#include "platform/open.h"
#include "platform/reference_mode.h"
#include "platform/unique_fd.h"

namespace cordon::provision {
namespace {

using platform::FileIdentity;
using platform::FileType;
using platform::OpenIntent;
using platform::UniqueFd;

constexpr std::uint32_t kUsable = 0700;
constexpr std::size_t kAtOnce = 512;
constexpr int kMostListings = 100'000;  // of a directory that does not become empty

bool IsMissing(const Error& error) { return error.os_errno == ENOENT; }

struct Entry {
  std::string name;
  FileType type;
};

// One directory on the way down from the top.
struct Level {
  FileIdentity identity;
  std::string name;            // in the one above
  std::vector<Entry> entries;  // that were listed and are still to be removed
  int listings = 0;
};

class Removal {
 public:
  explicit Removal(UniqueFd parent) : current_(std::move(parent)) {}

  Status Run(const char* name) {
    TRY_ASSIGN(const auto top, platform::StatDescriptor(current_.get()));
    levels_.push_back({top.identity, "", {}, 0});
    TRY_ASSIGN(const bool entered, Enter(name));
    if (!entered) return RemoveEntry({name, FileType::kUnknown});
    while (levels_.size() > 1) {
      Level& level = levels_.back();
      if (level.entries.empty()) {
        TRY(List(level));
        if (level.entries.empty()) TRY(Rise());
        continue;
      }
      const Entry entry = std::move(level.entries.back());
      level.entries.pop_back();
      TRY(RemoveOrEnter(entry));
    }
    return {};
  }

 private:
  Status RemoveOrEnter(const Entry& entry) {
    Status removed = RemoveEntry(entry);
    if (removed) return {};
    const int why = removed.error().os_errno;
    if (why != ENOTEMPTY && why != EEXIST) return removed;
    TRY(Enter(entry.name.c_str()));  // if it is another thing by now, it is listed again
    return {};
  }

  Status RemoveEntry(const Entry& entry) const {
    Status removed = entry.type == FileType::kDirectory
                         ? platform::RemoveDirectory(current_.get(), entry.name.c_str())
                         : platform::RemoveFile(current_.get(), entry.name.c_str());
    // The listing need not know what it is.
    if (!removed && removed.error().os_errno == EISDIR) {
      removed = platform::RemoveDirectory(current_.get(), entry.name.c_str());
    } else if (!removed && removed.error().os_errno == ENOTDIR) {
      removed = platform::RemoveFile(current_.get(), entry.name.c_str());
    }
    if (!removed && IsMissing(removed.error())) return {};
    return removed;
  }

  // False: it is no directory, or not there any more.
  Result<bool> Enter(const char* name) {
    auto reference = platform::OpenEntry(current_.get(), name, OpenIntent::kReference);
    if (!reference && IsMissing(reference.error())) return false;
    if (!reference) return std::move(reference.error());
    TRY_ASSIGN(const auto stat, platform::StatDescriptor(reference->get()));
    if (stat.type != FileType::kDirectory) return false;
    if ((stat.mode & kUsable) != kUsable) TRY(platform::SetModeOf(reference->get(), kUsable));
    current_ = std::move(*reference);
    levels_.push_back({stat.identity, name, {}, 0});
    return true;
  }

  Status List(Level& level) const {
    if (++level.listings > kMostListings) return NeverEmpty();
    return platform::ReadEntries(current_.get(), [&level](std::string_view name, FileType type) {
      level.entries.push_back({std::string(name), type});
      return level.entries.size() < kAtOnce ? platform::ReadMore::kYes : platform::ReadMore::kStop;
    });
  }

  // ".." is only believed when it leads back to where it came from.
  Status Rise() {
    TRY_ASSIGN(UniqueFd above, platform::OpenEntry(current_.get(), "..", OpenIntent::kReference));
    TRY_ASSIGN(const auto stat, platform::StatDescriptor(above.get()));
    const Level done = std::move(levels_.back());
    levels_.pop_back();
    if (stat.identity != levels_.back().identity) return NeverEmpty();
    current_ = std::move(above);
    Status removed = platform::RemoveDirectory(current_.get(), done.name.c_str());
    if (removed || IsMissing(removed.error())) return {};
    // Filled again meanwhile: what is above lists it once more, but not for ever.
    if (removed.error().os_errno == ENOTEMPTY && levels_.size() > 1) return {};
    return removed;
  }

  static Error NeverEmpty() {
    Error error;
    error.code = ErrorCode::kTimeout;
    error.op = "remove";
    error.detail = "a directory changes while it is removed";
    return error;
  }

  UniqueFd current_;  // a reference
  std::vector<Level> levels_;
};

}  // namespace

Status RemoveTree(int parent, const char* name) {
  TRY_ASSIGN(UniqueFd start, platform::ReopenDirectory(parent));
  return Removal(std::move(start)).Run(name);
}

}  // namespace cordon::provision
