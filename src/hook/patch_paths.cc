#include "hook/patch_paths.h"

#include <array>
#include <string>

namespace cordon::hook {
namespace {

struct Header {
  std::string_view text;
  Operation operation;
};
constexpr std::array<Header, 4> kHeaders{{{"*** Add File:", Operation::kWrite},
                                          {"*** Update File:", Operation::kWrite},
                                          {"*** Delete File:", Operation::kDelete},
                                          {"*** Move to:", Operation::kWrite}}};

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\f\v";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

}  // namespace

std::vector<PathUse> PathsOfPatch(std::string_view untrusted) {
  std::vector<PathUse> paths;
  while (!untrusted.empty()) {
    const std::size_t end = untrusted.find('\n');
    const std::string_view line = Trim(untrusted.substr(0, end));
    for (const Header& header : kHeaders) {
      if (!line.starts_with(header.text)) continue;
      paths.push_back({std::string(Trim(line.substr(header.text.size()))), header.operation});
    }
    if (end == std::string_view::npos) break;
    untrusted.remove_prefix(end + 1);
  }
  return paths;
}

bool HoldsPatch(std::string_view untrusted) {
  return untrusted.find("*** Begin Patch") != std::string_view::npos;
}

}  // namespace cordon::hook
