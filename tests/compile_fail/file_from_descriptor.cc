// Nor an owned descriptor from elsewhere.
// EXPECT: private
#include <utility>

#include "confine/file.h"

cordon::confine::File Wrap(cordon::platform::UniqueFd fd) {
  return cordon::confine::File(std::move(fd), "name");
}
