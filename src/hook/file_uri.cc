#include "hook/file_uri.h"

#include <algorithm>

#include "base/percent.h"

namespace cordon::hook {
namespace {

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

void AddBothReadings(std::string_view path, std::vector<std::string>& paths) {
  if (path.empty()) return;
  paths.emplace_back(path);
  if (path.find('%') == std::string_view::npos) return;
  if (Result<std::string> decoded = PercentDecode(path)) paths.push_back(*decoded);
}

}  // namespace

std::vector<std::string> PathsOfFileUri(std::string_view text) {
  constexpr std::string_view kScheme = "file:";
  // Readers of addresses drop blanks around them.
  while (!text.empty() && static_cast<unsigned char>(text.front()) <= ' ') text.remove_prefix(1);
  if (text.size() < kScheme.size() ||
      !std::equal(kScheme.begin(), kScheme.end(), text.begin(),
                  [](char wanted, char byte) { return wanted == Lower(byte); })) {
    return {};
  }
  text.remove_prefix(kScheme.size());
  std::vector<std::string> paths;
  for (const std::string_view whole : {text, text.substr(0, text.find_first_of("?#"))}) {
    std::string path(whole);
    std::replace(path.begin(), path.end(), '\\', '/');
    if (!path.starts_with("//")) {
      AddBothReadings(path, paths);
      continue;
    }
    const std::size_t after_host = path.find('/', 2);
    if (after_host != std::string::npos) {
      AddBothReadings(std::string_view(path).substr(after_host), paths);
    }
    AddBothReadings(std::string_view(path).substr(2), paths);  // "file://a/b" meant as a path
  }
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  return paths;
}

}  // namespace cordon::hook
