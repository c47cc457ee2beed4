// What the system says about a file.
#pragma once

#include <cstdint>
#include <optional>

#include "cordon/result.h"

namespace cordon::platform {

enum class FileType { kUnknown, kRegular, kDirectory, kSymlink, kFifo, kSocket, kDevice };

// Names one file for as long as it is open or on the disk.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  bool operator==(const FileIdentity&) const = default;
};

struct FileStat {
  FileType type = FileType::kUnknown;
  FileIdentity identity;
  std::uint32_t mode = 0;  // permission bits
  std::uint32_t owner = 0;
  std::uint32_t group = 0;
  std::uint64_t links = 0;
  std::uint64_t size = 0;
  std::int64_t modified_ns = 0;
  std::int64_t accessed_ns = 0;
  std::int64_t created_ns = 0;  // told by confine::Root::Stat only; 0: unknown
};

Result<FileStat> StatDescriptor(int fd);
// The entry `name` of a directory itself, link or not. `name` must be bare.
Result<FileStat> StatEntry(int directory, const char* name);

// When the file was made, in nanoseconds since 1970; nothing where the system does not
// keep it.
std::optional<std::int64_t> BirthTimeOf(int fd);

// For whoever asks again and again while writing: asking for a file's times as well
// would make the kernel write them anew, finer, with the next write.
struct FileExtent {
  std::uint64_t size = 0;
  std::uint64_t links = 0;
};
Result<FileExtent> ExtentOf(int fd);

// Tells mounts of the same file system apart, which device numbers cannot.
// Errors: kUnsupported where the kernel does not say.
Result<std::uint64_t> MountIdOf(int fd);

}  // namespace cordon::platform
