// The first page of a file as memory that several processes see.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cordon/result.h"

namespace cordon::platform {

inline constexpr std::size_t kSharedPageSize = 4096;

// Guarantees: what Store was given is in the file when it returns, in the order of
//   the calls, also if the process is killed right after.
// Does not guarantee: that it reaches the disk; that others are kept out meanwhile:
//   take a lock. A mapped page whose file is cut short by somebody kills its users.
// Thread safety: none.
class SharedPage {
 public:
  // kMapped is memory shared with the kernel. On file systems that move what is
  // overwritten, a full disk turns a store into mapped memory into a fatal signal;
  // kByCalls reads and writes instead, so that it is an error.
  enum class Access { kMapped, kByCalls };
  // kMapped where the file system is known to overwrite in place.
  static Access BestAccess(int fd);

  // `fd` must hold kSharedPageSize bytes, and stay open as long as this lives.
  static Result<SharedPage> Open(int fd, Access access);
  SharedPage(SharedPage&&) noexcept;
  SharedPage& operator=(SharedPage&&) = delete;
  ~SharedPage();

  // What the page holds; as of the last Load, where it is not mapped.
  Status Load();
  std::span<const char> bytes() const;

  Status Store(std::size_t offset, std::span<const char> bytes);
  // At once: nobody sees half of it. `offset` is a multiple of four.
  Status StoreWord(std::size_t offset, std::uint32_t word);

 private:
  SharedPage(int fd, char* mapped) : fd_(fd), mapped_(mapped) {}
  int fd_;
  char* mapped_;              // null when by calls
  std::vector<char> copy_{};  // by calls
};

}  // namespace cordon::platform
