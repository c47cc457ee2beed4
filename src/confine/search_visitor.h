// What a search meets on its way through a tree, and what decides where it goes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "confine/elsewhere.h"
#include "cordon/result.h"
#include "platform/file_stat.h"
#include "platform/unique_fd.h"

namespace cordon::confine {

// What a visitor keeps of a directory, for all that is below it.
class SearchNote {
 public:
  SearchNote() = default;
  SearchNote(const SearchNote&) = delete;
  SearchNote& operator=(const SearchNote&) = delete;
  virtual ~SearchNote() = default;
};

enum class SearchChoice : std::uint8_t { kPassOver, kTake };

struct SearchEntry {
  std::string_view name;
  platform::FileType type = platform::FileType::kUnknown;
  // Taken: a directory is gone into, anything else is visited.
  SearchChoice choice = SearchChoice::kPassOver;
};

// A regular file, open for reading, that every rule lets the caller read.
class SearchFile {
 public:
  SearchFile(platform::UniqueFd fd, std::uint64_t size) : fd_(std::move(fd)), size_(size) {}
  SearchFile(std::shared_ptr<const FileElsewhere> elsewhere, std::uint64_t size)
      : size_(size), elsewhere_(std::move(elsewhere)) {}
  // Returns 0 at the end.
  Result<std::size_t> Read(std::span<char> buffer) const;
  // When it was opened.
  std::uint64_t size() const { return size_; }

 private:
  platform::UniqueFd fd_;
  std::uint64_t size_;
  std::shared_ptr<const FileElsewhere> elsewhere_;  // set: instead of the descriptor
  mutable std::uint64_t position_ = 0;              // there, as a descriptor has one
};

// A directory while it is looked at. Never kept beyond a call.
class SearchDirectory {
 public:
  virtual ~SearchDirectory() = default;

  // Below the start of the search, "" for the start itself; below the root for what
  // lies above the start.
  virtual std::string_view path() const = 0;
  // Below the root; ends in "/" unless it is the root.
  virtual std::string_view path_in_root() const = 0;
  // Whether an entry ".git" is there, readable or not.
  virtual bool is_repository() const = 0;
  // Opens one of its entries. Errors: as Root::Open's for reading; a link is one.
  virtual Result<SearchFile> Open(std::string_view name) const = 0;
  // The entry itself, link or not.
  virtual Result<platform::FileStat> Stat(std::string_view name) const = 0;
};

// Thread safety: called by several workers at a time, numbered from 0, of which each
//   makes one call after the other.
class SearchVisitor {
 public:
  virtual ~SearchVisitor() = default;

  // A directory on the way from the root to the start of the search, in this order,
  // without the start. Its entries are not searched.
  virtual std::shared_ptr<const SearchNote> PassThrough(
      const SearchDirectory& directory, std::shared_ptr<const SearchNote> above) = 0;

  // A directory with those of its entries that no rule hides, in byte order. Makes the
  // choice for each; the note is for what is below.
  virtual std::shared_ptr<const SearchNote> Enter(std::size_t worker,
                                                  const SearchDirectory& directory,
                                                  std::shared_ptr<const SearchNote> above,
                                                  std::span<SearchEntry> entries) = 0;

  // An entry that was taken and is no directory, or the one the search was started at.
  virtual void Visit(std::size_t worker, const SearchDirectory& directory,
                     const SearchEntry& entry) = 0;

  // False: nothing at or below `directory`/`name` can matter any more.
  virtual bool Wants(std::string_view directory, std::string_view name) const = 0;
};

}  // namespace cordon::confine
