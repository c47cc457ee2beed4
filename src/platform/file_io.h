// Bytes in and out of an open file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "cordon/result.h"

namespace cordon::platform {

// Reads once; 0 at the end.
Result<std::size_t> Read(int fd, std::span<char> buffer);
Result<std::size_t> ReadAt(int fd, std::uint64_t offset, std::span<char> buffer);
// Writes everything or fails.
Status WriteAll(int fd, std::string_view bytes);
Status WriteAllAt(int fd, std::uint64_t offset, std::string_view bytes);
Status Truncate(int fd, std::uint64_t size);
Result<std::uint64_t> Seek(int fd, std::uint64_t offset);
Status SyncFile(int fd);
Status SyncData(int fd);  // the content, and the size that goes with it
Status SetMode(int fd, std::uint32_t mode);
// When the content was last changed, in nanoseconds since 1970.
Status SetModified(int fd, std::int64_t modified_ns);
// Gives the file to that owner and group; kSameOwner leaves the owner.
inline constexpr std::uint32_t kSameOwner = static_cast<std::uint32_t>(-1);
Status SetOwner(int fd, std::uint32_t owner, std::uint32_t group);

}  // namespace cordon::platform
