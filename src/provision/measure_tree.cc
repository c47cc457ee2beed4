#include "provision/measure_tree.h"

#include <array>
#include <cerrno>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/try.h"
#include "platform/directory.h"
#include "platform/disk_space.h"
#include "platform/open.h"
#include "platform/reference_mode.h"
#include "platform/unique_fd.h"

namespace cordon::provision {
namespace {

using platform::Allocation;
using platform::FileIdentity;
using platform::FileType;
using platform::OpenIntent;
using platform::UniqueFd;

constexpr std::size_t kKeptOpen = 200;  // levels; below them, the way up is looked for
constexpr std::uint32_t kUsable = 0700;
constexpr std::size_t kListing = std::size_t{32} << 10;

struct Level {
  UniqueFd directory;  // not held of all
  FileIdentity identity;
  std::vector<std::string> unseen;  // directories in it
};

class Measurement {
 public:
  explicit Measurement(std::uint64_t most_files) : most_files_(most_files) {}

  Result<TreeUse> Run(int top) {
    TRY_ASSIGN(current_, platform::ReopenDirectory(top));
    TRY_ASSIGN(const Allocation own, platform::AllocationOf(current_.get()));
    device_ = own.identity.device;
    Count(own);
    levels_.push_back({{}, own.identity, {}});
    TRY(List());
    while (!levels_.empty() && use_.files <= most_files_) {
      std::vector<std::string>& unseen = levels_.back().unseen;
      if (unseen.empty()) {
        TRY(Rise());
        continue;
      }
      const std::string name = std::move(unseen.back());
      unseen.pop_back();
      TRY(Enter(name.c_str()));
    }
    return use_;
  }

 private:
  void Count(const Allocation& one) {
    // A file with several names is counted at the first of them.
    if (one.type != FileType::kDirectory && one.links > 1 &&
        !linked_.insert(one.identity.inode).second) {
      return;
    }
    use_.bytes += one.bytes;
    ++use_.files;
  }

  Status List() {
    return platform::ReadEntriesInto(current_.get(), buffer_, [this](std::string_view found, auto) {
      const std::string name(found);
      const auto one = platform::AllocationOfEntry(current_.get(), name.c_str());
      if (!one || one->identity.device != device_) return platform::ReadMore::kYes;  // gone
      Count(*one);
      if (one->type == FileType::kDirectory) levels_.back().unseen.push_back(name);
      return use_.files <= most_files_ ? platform::ReadMore::kYes : platform::ReadMore::kStop;
    });
  }

  struct Opened {
    UniqueFd directory;
    Allocation own;
  };
  // Opened so that it can be listed and what is in it be looked at.
  Result<Opened> Open(const char* name) const {
    TRY_ASSIGN(UniqueFd directory,
               platform::OpenEntry(current_.get(), name, OpenIntent::kListDirectory));
    TRY_ASSIGN(Allocation own, platform::AllocationOfEntry(directory.get(), "."));
    return Opened{std::move(directory), own};
  }

  Status Enter(const char* name) {
    auto opened = Open(name);
    if (!opened && opened.error().os_errno == EACCES) {
      TRY_ASSIGN(const UniqueFd shut,
                 platform::OpenEntry(current_.get(), name, OpenIntent::kReference));
      TRY(platform::SetModeOf(shut.get(), kUsable));
      opened = Open(name);
    }
    if (!opened) {
      const int why = opened.error().os_errno;
      // Gone, or something else by now.
      if (why == ENOENT || why == ENOTDIR || why == ELOOP) return {};
      return std::move(opened.error());
    }
    if (opened->own.identity.device != device_) return {};
    if (levels_.size() < kKeptOpen) levels_.back().directory = std::move(current_);
    current_ = std::move(opened->directory);
    levels_.push_back({{}, opened->own.identity, {}});
    return List();
  }

  Status Rise() {
    levels_.pop_back();
    if (levels_.empty()) return {};
    Level& above = levels_.back();
    if (above.directory.valid()) {
      current_ = std::move(above.directory);
      return {};
    }
    TRY_ASSIGN(UniqueFd found,
               platform::OpenEntry(current_.get(), "..", OpenIntent::kListDirectory));
    TRY_ASSIGN(const Allocation own, platform::AllocationOf(found.get()));
    if (own.identity != above.identity) return Moved();
    current_ = std::move(found);
    return {};
  }

  static Error Moved() {
    Error error;
    error.code = ErrorCode::kTimeout;
    error.op = "measure";
    error.detail = "deep directories are moved while they are looked at";
    return error;
  }

  const std::uint64_t most_files_;
  TreeUse use_;
  std::uint64_t device_ = 0;
  std::set<std::uint64_t> linked_;
  UniqueFd current_;
  std::vector<Level> levels_;
  std::array<char, kListing> buffer_{};
};

}  // namespace

Result<TreeUse> MeasureTree(int directory, std::uint64_t most_files) {
  return Measurement(most_files).Run(directory);
}

}  // namespace cordon::provision
