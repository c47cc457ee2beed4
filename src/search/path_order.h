// The order in which paths are told.
#pragma once

#include <cstring>
#include <string_view>

namespace cordon::search {

// Component by component, each by its bytes: as a walk in byte order meets them.
// Negative, zero, positive.
inline int ComparePaths(std::string_view a, std::string_view b) {
  const std::size_t shorter = a.size() < b.size() ? a.size() : b.size();
  std::size_t same = 0;  // paths of one tree have much in common: eight bytes at a time
  while (same + 8 <= shorter && std::memcmp(a.data() + same, b.data() + same, 8) == 0) same += 8;
  for (std::size_t i = same; i < shorter; ++i) {
    if (a[i] == b[i]) continue;
    if (a[i] == '/') return -1;
    if (b[i] == '/') return 1;
    return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[i]) ? -1 : 1;
  }
  return a.size() < b.size() ? -1 : a.size() > b.size() ? 1 : 0;
}

struct PathLess {
  using is_transparent = void;
  bool operator()(std::string_view a, std::string_view b) const { return ComparePaths(a, b) < 0; }
};

}  // namespace cordon::search
