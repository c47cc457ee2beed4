// The host's own view of paths: only for drawing a boundary, never for using one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/result.h"
#include "platform/unique_fd.h"

namespace cordon::platform {

struct HostDirectory {
  UniqueFd directory;     // a reference
  std::string real_path;  // absolute, without links
  std::string spelling;   // absolute, as given
};

// Follows links. Errors: kNotFound, kNotADirectory, kPermissionDenied.
Result<HostDirectory> OpenHostDirectory(std::string_view path);

// A regular file of the host, for reading; never blocks.
Result<UniqueFd> OpenHostFile(std::string_view path);

// The absolute path of the program this process runs.
// Errors: kNotFound when it has been removed since.
Result<std::string> OwnProgram();

// "NAME=value" of every variable this process was given.
std::vector<std::string> OwnEnvironment();

// Unpredictable; for names that nobody may guess.
std::uint64_t RandomNumber();

}  // namespace cordon::platform
