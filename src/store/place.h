// Where the file is: in a directory that nobody else writes to, readable by nobody else.
#pragma once

#include <string>

#include "cordon/result.h"
#include "platform/unique_fd.h"

namespace cordon::store {

struct Place {
  platform::UniqueFd directory;
  std::string path;  // of the file, without links
};

// Makes the directory and an empty file if they are not there.
// Errors: kPermissionDenied when others could write to the directory or use the file;
//   kNotARegularFile; kInvalidPath when `path` is not absolute.
Result<Place> PreparePlace(const std::string& path);

}  // namespace cordon::store
