// The refusal as an exception, for callers who prefer one to a value.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "cordon/error.h"

namespace cordon {

// what() is "Path not allowed: PATH. Must be within ALLOWED_ROOT_DIRECTORY or
// DATA_DIR.", with what PATH could hide or reorder written out.
class PathNotAllowedError : public std::runtime_error {
 public:
  PathNotAllowedError(std::string_view path, Error error);

  // As asked for, byte by byte.
  const std::string& path() const { return path_; }
  // Which rule refused, and how.
  const Error& error() const { return error_; }

 private:
  std::string path_;
  Error error_;
};

}  // namespace cordon
