// Limits that a file system itself holds for a directory with all that comes below it: it counts
// by a number, the project, that what is made in a directory inherits from it.
#pragma once

#include <cstdint>

#include "cordon/result.h"

namespace cordon::platform {

// 0 is no limit.
struct ProjectUse {
  std::uint64_t bytes = 0, most_bytes = 0;
  std::uint64_t files = 0, most_files = 0;
};

// Whether the file system of `directory` holds limits of projects, and this process may set them.
// Errors: kUnsupported, kPermissionDenied and the like when not.
Status CheckProjectQuota(int directory);

// 0: none.
Result<std::uint32_t> ProjectOf(int directory);
// What is in the directory already keeps what it has.
Status SetProject(int directory, std::uint32_t project);

Result<ProjectUse> UseOfProject(int directory, std::uint32_t project);
// Does not hold for a process with CAP_SYS_RESOURCE. 0 for both takes the limits away, and with
// them what the file system has written down of a project that nothing belongs to.
Status LimitProject(int directory, std::uint32_t project, std::uint64_t bytes, std::uint64_t files);

}  // namespace cordon::platform
