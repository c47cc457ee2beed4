// What files take on their disk, and what is left there.
#pragma once

#include <cstdint>

#include "cordon/result.h"
#include "platform/file_stat.h"

namespace cordon::platform {

// Of one file, in blocks that it really has: holes take nothing.
struct Allocation {
  FileType type = FileType::kUnknown;
  FileIdentity identity;
  std::uint64_t links = 0;
  std::uint64_t bytes = 0;
};
Result<Allocation> AllocationOf(int fd);
// The entry `name` of a directory itself, link or not. `name` must be bare.
Result<Allocation> AllocationOfEntry(int directory, const char* name);

// Of a whole file system, in bytes.
struct DiskRoom {
  std::uint64_t total = 0;
  std::uint64_t free = 0;
  std::uint64_t for_users = 0;  // of `free`, without what is kept for the system
};
Result<DiskRoom> RoomOfDisk(int fd);

}  // namespace cordon::platform
