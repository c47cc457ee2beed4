#include "audit/log_bytes.h"

#include <algorithm>
#include <cstring>

#include "base/try.h"
#include "platform/file_io.h"

namespace cordon::audit {

Result<std::size_t> LogBytes::ReadAt(std::uint64_t offset, std::span<char> buffer) const {
  // One read: a line that is taken back meanwhile must not be joined with the next.
  TRY_ASSIGN(const std::size_t filled, platform::ReadAt(fd_, offset, buffer));
  if (filled == buffer.size() || staged_ == nullptr) return filled;
  const std::uint64_t at = offset + filled;
  if (at < staged_->from || at >= staged_->end()) return filled;
  const auto skipped = static_cast<std::size_t>(at - staged_->from);
  const std::size_t size = std::min(buffer.size() - filled, staged_->bytes.size() - skipped);
  std::memcpy(buffer.data() + filled, staged_->bytes.data() + skipped, size);
  return filled + size;
}

std::uint64_t LogBytes::EndWith(std::uint64_t file_size) const {
  if (staged_ == nullptr) return file_size;
  return file_size < staged_->from ? file_size : std::max(file_size, staged_->end());
}

}  // namespace cordon::audit
