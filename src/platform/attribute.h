// One extended attribute of a file.
#pragma once

#include <string>

namespace cordon::platform {

struct Attribute {
  std::string name;
  std::string value;
  bool operator==(const Attribute&) const = default;
};

}  // namespace cordon::platform
