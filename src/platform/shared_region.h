// The beginning of a file as memory that several processes see.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cordon/result.h"

namespace cordon::platform {

// Guarantees: what Store was given is in the file when it returns, in the order of
//   the calls, also if the process is killed right after.
// Does not guarantee: that it reaches the disk; that others are kept out meanwhile:
//   take a lock. A mapped region whose file is cut short by somebody kills its users.
// Thread safety: none.
class SharedRegion {
 public:
  // kMapped is memory shared with the kernel. On file systems that move what is
  // overwritten, a full disk turns a store into mapped memory into a fatal signal;
  // kByCalls reads and writes instead, so that it is an error.
  enum class Access { kMapped, kByCalls };
  // kMapped where the file system is known to overwrite in place.
  static Access BestAccess(int fd);

  // `fd` must hold `size` bytes that were really written, not skipped over, and stay
  // open as long as this lives. `size` is a multiple of 4096.
  static Result<SharedRegion> Open(int fd, std::size_t size, Access access);
  SharedRegion(SharedRegion&&) noexcept;
  SharedRegion& operator=(SharedRegion&&) = delete;
  ~SharedRegion();

  Access access() const { return mapped_ != nullptr ? Access::kMapped : Access::kByCalls; }

  // What the region holds; where it is not mapped, as of the last Load of that part.
  Status Load(std::size_t offset, std::size_t size);
  std::span<const char> bytes() const;

  Status Store(std::size_t offset, std::span<const char> bytes);
  // At once: nobody sees half of it. `offset` is a multiple of four.
  Status StoreWord(std::size_t offset, std::uint32_t word);

 private:
  SharedRegion(int fd, std::size_t size, char* mapped) : fd_(fd), size_(size), mapped_(mapped) {}
  int fd_;
  std::size_t size_;
  char* mapped_;              // null when by calls
  std::vector<char> copy_{};  // by calls
};

}  // namespace cordon::platform
