#include "confine/search_directory.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/try.h"
#include "confine/link_free.h"
#include "confine/refusal.h"
#include "platform/directory.h"
#include "platform/file_io.h"

namespace cordon::confine {
namespace {

using platform::FileType;
using platform::MountCrossing;
using platform::MustBe;
using platform::OpenIntent;
using platform::UniqueFd;

constexpr std::size_t kNameBlock = 16 * 1024;
constexpr std::string_view kRepository = ".git";

Error Denied() {
  Error error;
  error.code = ErrorCode::kPathDenied;
  error.violation = Violation::kDenylist;
  error.op = "search";
  error.rule = "deny-list";
  error.detail = "a deny rule covers this path";
  return error;
}

// Keeps bytes for as long as a directory is looked at, many names to a block.
class NameStore {
 public:
  explicit NameStore(std::vector<std::unique_ptr<char[]>>& blocks) : blocks_(blocks) {}
  std::string_view Add(std::string_view name) {
    if (left_ < name.size()) {
      const std::size_t size = std::max(kNameBlock, name.size());
      blocks_.push_back(std::make_unique<char[]>(size));
      next_ = blocks_.back().get();
      left_ = size;
    }
    char* const kept = next_;
    std::copy(name.begin(), name.end(), kept);
    next_ += name.size();
    left_ -= name.size();
    return {kept, name.size()};
  }

 private:
  std::vector<std::unique_ptr<char[]>>& blocks_;
  char* next_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace

Result<std::size_t> SearchFile::Read(std::span<char> buffer) const {
  if (!elsewhere_) return platform::Read(fd_.get(), buffer);
  TRY_ASSIGN(const std::size_t count, elsewhere_->ReadAt(position_, buffer));
  position_ += count;
  return count;
}

bool SearchScope::Allows(std::string_view path, Operation operation) const {
  if (!root.options.deny) return true;
  const auto verdict = root.options.deny->Check(path, operation);
  if (verdict.denied) return false;
  if (verdict.suspects.empty()) return true;
  LinkFreeRequest request;
  request.text = path;
  request.final_link = FinalSymlink::kNoFollow;
  request.mounts = mounts;
  request.suspects = verdict.suspects;
  return std::holds_alternative<UniqueFd>(OpenByWalk(root, request));
}

Result<UniqueFd> SearchScope::OpenBelowRoot(std::string_view path, OpenIntent intent) const {
  LinkFreeRequest request;
  request.text = path;
  request.intent = intent;
  request.mounts = mounts;
  request.must_be = intent == OpenIntent::kListDirectory ? MustBe::kDirectory : MustBe::kAnything;
  auto outcome =
      root.resolver == Resolver::kWalk ? OpenByWalk(root, request) : OpenByKernel(root, request);
  if (auto* fd = std::get_if<UniqueFd>(&outcome)) return std::move(*fd);
  if (auto* error = std::get_if<Error>(&outcome)) return std::move(*error);
  return RaceError();  // a link, or a change: it is not what was listed any more
}

HeldDirectory::HeldDirectory(SearchScope& scope, UniqueFd fd, std::string path, Place place)
    : scope_(scope), fd_(std::move(fd)), path_(std::move(path)) {
  if (place == Place::kBelowStart) in_root_ = scope.base;
  if (!path_.empty()) {
    if (!in_root_.empty()) in_root_ += '/';
    in_root_ += path_;
  }
  if (!in_root_.empty()) in_root_ += '/';
}

HeldDirectory::~HeldDirectory() {
  if (counted_) scope_.held.fetch_sub(1, std::memory_order_relaxed);
}

std::string HeldDirectory::InRoot(std::string_view name) const {
  std::string path;
  path.reserve(in_root_.size() + name.size());
  path += in_root_;
  path += name;
  return path;
}

bool HeldDirectory::ShowsEntry(std::string& in_root, std::size_t prefix, std::string_view name,
                               FileType type) const {
  in_root.resize(prefix);
  in_root += name;
  if (!scope_.Allows(in_root, Operation::kStat)) return false;
  // What may be seen may still not be listed, or not be read.
  if (type == FileType::kDirectory) return scope_.Allows(in_root, Operation::kList);
  if (scope_.terms.reach == SearchReach::kNames) return true;
  return scope_.Allows(in_root, Operation::kRead);
}

Status HeldDirectory::List(std::span<char> buffer, std::atomic<std::uint64_t>& seen) {
  NameStore store(names_);
  std::string in_root = in_root_;
  const std::size_t prefix = in_root.size();
  std::uint64_t count = 0;
  const std::uint64_t before = seen.load(std::memory_order_relaxed);
  TRY(platform::ReadEntriesInto(fd_.get(), buffer, [&](std::string_view name, FileType type) {
    if (before + ++count > scope_.terms.max_entries) return platform::ReadMore::kStop;
    if (name == kRepository) repository_ = true;
    if (type == FileType::kUnknown) {
      const auto stat = platform::StatEntry(fd_.get(), std::string(name).c_str());
      if (stat) type = stat->type;
    }
    if (ShowsEntry(in_root, prefix, name, type)) entries_.push_back({store.Add(name), type});
    return platform::ReadMore::kYes;
  }));
  seen.fetch_add(count, std::memory_order_relaxed);
  std::sort(entries_.begin(), entries_.end(),
            [](const SearchEntry& a, const SearchEntry& b) { return a.name < b.name; });
  return {};
}

void HeldDirectory::Name(std::string_view name, const platform::FileStat& stat) {
  entries_.push_back({NameStore(names_).Add(name), stat.type, SearchChoice::kTake});
  named_ = stat.identity;
}

void HeldDirectory::LookForRepository() {
  repository_ = platform::StatEntry(fd_.get(), kRepository.data()).has_value();
}

void HeldDirectory::KeepOrClose() {
  if (scope_.held.fetch_add(1, std::memory_order_relaxed) < SearchScope::kMostHeld) {
    counted_ = true;
    return;
  }
  scope_.held.fetch_sub(1, std::memory_order_relaxed);
  fd_.reset();
}

Result<UniqueFd> HeldDirectory::OpenEntry(std::string_view name, const std::string& in_root,
                                          OpenIntent intent) const {
  const bool bare = name.find('/') == std::string_view::npos;
  if (!fd_.valid() || !bare) return scope_.OpenBelowRoot(in_root, intent);
  const char* const zero_ended = in_root.c_str() + in_root_.size();
  const bool directory = intent == OpenIntent::kListDirectory;
  if (scope_.root.resolver != Resolver::kWalk) {
    return platform::OpenLinkFree(fd_.get(), zero_ended, intent,
                                  directory ? MustBe::kDirectory : MustBe::kAnything,
                                  scope_.mounts);
  }
  // With O_DIRECTORY some kernels follow a link: through a reference.
  TRY_ASSIGN(UniqueFd entry, platform::OpenEntry(fd_.get(), zero_ended,
                                                 directory ? OpenIntent::kReference : intent));
  if (scope_.mounts == MountCrossing::kRefuse) {
    TRY_ASSIGN(const std::uint64_t mount, platform::MountIdOf(entry.get()));
    if (!scope_.root.mount || mount != *scope_.root.mount) return MountError(name);
  }
  if (!directory) return entry;
  TRY_ASSIGN(const platform::FileStat stat, platform::StatDescriptor(entry.get()));
  if (stat.type != FileType::kDirectory) return NotADirectoryError(name);
  return platform::ReopenDirectory(entry.get());
}

Result<UniqueFd> HeldDirectory::OpenDirectory(std::string_view name) const {
  return OpenEntry(name, InRoot(name), OpenIntent::kListDirectory);
}

Result<SearchFile> HeldDirectory::Open(std::string_view name) const {
  const std::string in_root = InRoot(name);
  if (!scope_.Allows(in_root, Operation::kRead)) return Denied();
  TRY_ASSIGN(UniqueFd fd, OpenEntry(name, in_root, OpenIntent::kRead));
  TRY_ASSIGN(const platform::FileStat stat, platform::StatDescriptor(fd.get()));
  TRY(CheckRegular(scope_.root, stat, WriteStyle::kNone));
  if (named_ && stat.identity != *named_) return RaceError();
  return SearchFile(std::move(fd), stat.size);
}

Result<platform::FileStat> HeldDirectory::Stat(std::string_view name) const {
  if (!fd_.valid()) {
    TRY_ASSIGN(const UniqueFd again,
               scope_.OpenBelowRoot(std::string_view(in_root_), OpenIntent::kReference));
    return platform::StatEntry(again.get(), std::string(name).c_str());
  }
  return platform::StatEntry(fd_.get(), std::string(name).c_str());
}

}  // namespace cordon::confine
