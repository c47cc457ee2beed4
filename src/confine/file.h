// An open regular file inside a root.
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

// Guarantees: a regular file that was beneath its root when it was opened. It
//   stays that file whatever happens to its name.
// Thread safety: as the system's: ReadAt may run concurrently, the rest shares
//   one position.
class File {
 public:
  // Of another system: to be read only, and without a descriptor.
  File(std::shared_ptr<const FileElsewhere> elsewhere, std::string_view path)
      : text_(path), elsewhere_(std::move(elsewhere)) {}
  File(File&&) noexcept = default;
  File& operator=(File&&) noexcept = default;

  // Returns 0 at the end of the file.
  Result<std::size_t> Read(std::span<char> buffer);
  Result<std::size_t> ReadAt(std::uint64_t offset, std::span<char> buffer) const;
  // From the current position to the end. Errors: kTooLarge beyond `limit`.
  Result<std::string> ReadAll(std::size_t limit);
  // Writes everything or fails.
  Status Write(std::string_view bytes);
  Status Truncate(std::uint64_t size);
  Result<std::uint64_t> Seek(std::uint64_t offset);
  // Waits until the content is on the disk.
  Status Sync();
  Result<platform::FileStat> Stat() const;

  // The path below its root that it was opened by, without links.
  std::string path() const;

  // The descriptor, still owned by this object; -1 of a file elsewhere.
  int descriptor() const { return fd_.get(); }
  // The descriptor, no longer owned by this object, which is of no use afterwards.
  platform::UniqueFd TakeDescriptor() { return std::move(fd_); }

 private:
  friend class Root;
  friend class Replacement;
  File(platform::UniqueFd fd, std::string_view text) : fd_(std::move(fd)), text_(text) {}
  platform::UniqueFd fd_;
  std::string text_;                                // of path(), with its dots
  std::shared_ptr<const FileElsewhere> elsewhere_;  // set: instead of the descriptor
  std::uint64_t position_ = 0;                      // there
};

// To be called before content is changed in place: it must not inherit the right to
// run as someone else, which the kernel lets a privileged writer leave.
void DropSetUserId(int fd, const platform::FileStat& stat);

// From the descriptor's position to the end. Errors: kTooLarge beyond `limit`.
Result<std::string> ReadToEnd(int fd, std::size_t limit);

}  // namespace cordon::confine
