// One directory of a search, open or to be opened again; for the files of this room only.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "confine/root_state.h"
#include "confine/search.h"
#include "confine/search_visitor.h"
#include "platform/open.h"

namespace cordon::confine {

// What all directories of one search have in common.
struct SearchScope {
  const RootState& root;
  const SearchTerms& terms;
  platform::MountCrossing mounts;
  std::string base;  // true path of the start below the root
  // Descriptors kept for what is still to be visited. Beyond the most, a directory is
  // closed when it was listed and found again by its path.
  std::atomic<int> held{0};
  static constexpr int kMostHeld = 192;

  // Whether the deny list lets `operation` have what is at `path`, below the root: as
  // strict as Root::Open, names compared by the directories that hold them.
  bool Allows(std::string_view path, Operation operation) const;
  // Below the root, through no link.
  Result<platform::UniqueFd> OpenBelowRoot(std::string_view path,
                                           platform::OpenIntent intent) const;
};

// Thread safety: List before anything else; then const methods may run concurrently.
class HeldDirectory final : public SearchDirectory {
 public:
  // `path` is below the start, or below the root for one above the start.
  enum class Place { kBelowStart, kAboveStart };
  HeldDirectory(SearchScope& scope, platform::UniqueFd fd, std::string path, Place place);
  HeldDirectory(const HeldDirectory&) = delete;
  HeldDirectory& operator=(const HeldDirectory&) = delete;
  ~HeldDirectory() override;

  // Reads the entries that may be seen, sorted; `buffer` is scratch. `seen` counts all.
  Status List(std::span<char> buffer, std::atomic<std::uint64_t>& seen);
  // Instead of List: one entry, and only as long as it is this very object.
  void Name(std::string_view name, const platform::FileStat& stat);
  // For one above the start: only finds out whether it is a repository.
  void LookForRepository();
  std::span<SearchEntry> entries() { return entries_; }
  // Closes the descriptor if too many are held. After List, before it is shared.
  void KeepOrClose();

  // Opens the sub-directory `name`, to be listed.
  // Errors: besides the system's, kPathDenied for what may not be listed.
  Result<platform::UniqueFd> OpenDirectory(std::string_view name) const;

  std::string_view path() const override { return path_; }
  std::string_view path_in_root() const override { return in_root_; }
  bool is_repository() const override { return repository_; }
  Result<SearchFile> Open(std::string_view name) const override;
  Result<platform::FileStat> Stat(std::string_view name) const override;

  std::shared_ptr<const SearchNote> note;  // of this directory, for those below
  std::size_t depth = 0;

 private:
  std::string InRoot(std::string_view name) const;
  bool ShowsEntry(std::string& in_root, std::size_t prefix, std::string_view name,
                  platform::FileType type) const;
  Result<platform::UniqueFd> OpenEntry(std::string_view name, const std::string& in_root,
                                       platform::OpenIntent intent) const;

  SearchScope& scope_;
  platform::UniqueFd fd_;  // invalid: found by its path
  std::string path_;
  std::string in_root_;  // the same below the root, ends in "/" unless empty
  bool repository_ = false;
  bool counted_ = false;  // in scope_.held
  std::optional<platform::FileIdentity> named_;
  std::vector<std::unique_ptr<char[]>> names_;  // what the entries view
  std::vector<SearchEntry> entries_;
};

}  // namespace cordon::confine
