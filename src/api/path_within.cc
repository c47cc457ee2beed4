#include <string>
#include <string_view>
#include <vector>

#include "cordon/workspace.h"
#include "path/posix.h"

namespace cordon {
namespace {

// The components of an absolute path; ".." at the top stays at the top.
std::vector<std::string_view> Normalised(std::string_view absolute) {
  std::vector<std::string_view> parts;
  path::Components components(absolute);
  for (std::string_view part = components.Next(); !part.empty(); part = components.Next()) {
    if (part != "..") {
      parts.push_back(part);
    } else if (!parts.empty()) {
      parts.pop_back();
    }
  }
  return parts;
}

bool IsUsable(std::string_view path) {
  return path.starts_with('/') && path.find('\0') == std::string_view::npos;
}

}  // namespace

bool IsPathWithinDirectory(std::string_view resolved, std::string_view directory) {
  if (!IsUsable(resolved) || !IsUsable(directory)) return false;
  const std::vector<std::string_view> inner = Normalised(resolved);
  const std::vector<std::string_view> outer = Normalised(directory);
  if (inner.size() < outer.size()) return false;
  for (std::size_t i = 0; i < outer.size(); ++i) {
    if (inner[i] != outer[i]) return false;
  }
  return true;
}

}  // namespace cordon
