#include "confine/file.h"

#include <algorithm>
#include <array>

#include "base/try.h"
#include "path/posix.h"
#include "platform/file_io.h"

namespace cordon::confine {

namespace {

Error NotElsewhere() {
  Error error;
  error.code = ErrorCode::kUnsupported;
  error.op = "file";
  error.detail = "a file of another system can only be read";
  return error;
}

template <typename Reader>
Result<std::string> ReadAllBy(const Reader& read, std::size_t limit) {
  std::string content;
  std::array<char, 64 * 1024> buffer;
  while (true) {
    TRY_ASSIGN(const std::size_t count, read(buffer));
    if (count == 0) return content;
    if (count > limit - content.size()) {
      Error error;
      error.code = ErrorCode::kTooLarge;
      error.op = "read";
      error.detail = "the file is larger than " + std::to_string(limit) + " bytes";
      return error;
    }
    content.append(buffer.data(), count);
  }
}

}  // namespace

Result<std::string> ReadToEnd(int fd, std::size_t limit) {
  return ReadAllBy([fd](std::span<char> buffer) { return platform::Read(fd, buffer); }, limit);
}

void DropSetUserId(int fd, const platform::FileStat& stat) {
  constexpr std::uint32_t kSetIds = 06000;
  if ((stat.mode & kSetIds) == 0) return;
  // Who may not do this has no privilege either: writing does it for them.
  static_cast<void>(platform::SetMode(fd, stat.mode & ~kSetIds));
}

Result<std::size_t> File::Read(std::span<char> buffer) {
  if (!elsewhere_) return platform::Read(fd_.get(), buffer);
  TRY_ASSIGN(const std::size_t count, elsewhere_->ReadAt(position_, buffer));
  position_ += count;
  return count;
}

Result<std::size_t> File::ReadAt(std::uint64_t offset, std::span<char> buffer) const {
  if (elsewhere_) return elsewhere_->ReadAt(offset, buffer);
  return platform::ReadAt(fd_.get(), offset, buffer);
}

Result<std::string> File::ReadAll(std::size_t limit) {
  return ReadAllBy([this](std::span<char> buffer) { return Read(buffer); }, limit);
}

Status File::Write(std::string_view bytes) {
  if (elsewhere_) return NotElsewhere();
  return platform::WriteAll(fd_.get(), bytes);
}

Status File::Truncate(std::uint64_t size) {
  if (elsewhere_) return NotElsewhere();
  return platform::Truncate(fd_.get(), size);
}

Result<std::uint64_t> File::Seek(std::uint64_t offset) {
  if (elsewhere_) return position_ = offset;
  return platform::Seek(fd_.get(), offset);
}

Status File::Sync() {
  if (elsewhere_) return NotElsewhere();
  return platform::SyncFile(fd_.get());
}

std::string File::path() const { return path::CollapseLexically(text_); }

Result<platform::FileStat> File::Stat() const {
  return elsewhere_ ? elsewhere_->Stat() : platform::StatDescriptor(fd_.get());
}

}  // namespace cordon::confine
