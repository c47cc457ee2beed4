#include "platform/shared_region.h"

#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/try.h"
#include "platform/file_io.h"
#include "platform/file_stat.h"
#include "platform/linux/error_from_errno.h"

#ifndef XFS_SUPER_MAGIC
#define XFS_SUPER_MAGIC 0x58465342
#endif

namespace cordon::platform {

SharedRegion::Access SharedRegion::BestAccess(int fd) {
  struct statfs system;
  if (::fstatfs(fd, &system) != 0) return Access::kByCalls;
  switch (static_cast<unsigned long>(system.f_type)) {
    case EXT4_SUPER_MAGIC:  // ext2 and ext3 as well
    case XFS_SUPER_MAGIC:
    case TMPFS_MAGIC: return Access::kMapped;
    default: return Access::kByCalls;
  }
}

Result<SharedRegion> SharedRegion::Open(int fd, std::size_t size, Access access) {
  TRY_ASSIGN(const FileStat stat, StatDescriptor(fd));
  if (stat.size < size) return ErrorFromErrno("mmap", EINVAL);
  if (access == Access::kByCalls) {
    SharedRegion region(fd, size, nullptr);
    region.copy_.resize(size);
    TRY(region.Load(0, size));
    return region;
  }
  void* const mapped = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (mapped == MAP_FAILED) return ErrorFromErrno("mmap", errno);
  return SharedRegion(fd, size, static_cast<char*>(mapped));
}

SharedRegion::SharedRegion(SharedRegion&& other) noexcept
    : fd_(other.fd_),
      size_(other.size_),
      mapped_(std::exchange(other.mapped_, nullptr)),
      copy_(std::move(other.copy_)) {}

SharedRegion::~SharedRegion() {
  if (mapped_ != nullptr) ::munmap(mapped_, size_);
}

Status SharedRegion::Load(std::size_t offset, std::size_t size) {
  if (mapped_ != nullptr) return {};
  TRY_ASSIGN(const std::size_t got, ReadAt(fd_, offset, std::span(copy_).subspan(offset, size)));
  if (got != size) return ErrorFromErrno("pread", EIO);
  return {};
}

std::span<const char> SharedRegion::bytes() const {
  if (mapped_ != nullptr) return {mapped_, size_};
  return copy_;
}

Status SharedRegion::Store(std::size_t offset, std::span<const char> bytes) {
  if (mapped_ != nullptr) {
    std::memcpy(mapped_ + offset, bytes.data(), bytes.size());
    // What comes later must not be moved before it by the compiler: a kill falls between
    // two instructions, and other processes come only after a lock.
    std::atomic_signal_fence(std::memory_order_seq_cst);
    return {};
  }
  TRY(WriteAllAt(fd_, offset, {bytes.data(), bytes.size()}));
  std::memcpy(copy_.data() + offset, bytes.data(), bytes.size());
  return {};
}

Status SharedRegion::StoreWord(std::size_t offset, std::uint32_t word) {
  if (mapped_ == nullptr) {
    return Store(offset, {reinterpret_cast<const char*>(&word), sizeof word});
  }
  auto* const place = reinterpret_cast<std::uint32_t*>(mapped_ + offset);
  std::atomic_ref<std::uint32_t>(*place).store(word, std::memory_order_seq_cst);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  return {};
}

}  // namespace cordon::platform
