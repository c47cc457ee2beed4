#include "mcp_tools/file_uri.h"

#include <algorithm>
#include <cctype>

#include "base/percent.h"
#include "path/posix.h"

namespace cordon::mcp_tools {
namespace {

bool StartsWithNoCase(std::string_view text, std::string_view lower) {
  if (text.size() < lower.size()) return false;
  return std::equal(lower.begin(), lower.end(), text.begin(), [](char want, char have) {
    return want == std::tolower(static_cast<unsigned char>(have));
  });
}

}  // namespace

std::optional<std::string> PathOfUri(std::string_view uri) {
  if (!StartsWithNoCase(uri, "file:")) return std::nullopt;
  uri.remove_prefix(5);
  if (uri.starts_with("//")) {
    uri.remove_prefix(2);
    const std::size_t host = std::min(uri.find('/'), uri.size());
    if (host != 0 && !(host == 9 && StartsWithNoCase(uri, "localhost"))) return std::nullopt;
    uri.remove_prefix(host);
  }
  if (!uri.starts_with('/') || uri.find_first_of("?#") != std::string_view::npos) {
    return std::nullopt;
  }
  const auto decoded = PercentDecode(uri);
  if (!decoded || decoded->find('\0') != std::string::npos) return std::nullopt;
  std::string path = path::CollapseLexically(*decoded);
  // Above the top is the top, as in any URI.
  while (path == ".." || path.starts_with("../"))
    path.erase(0, std::min<std::size_t>(3, path.size()));
  return "/" + path;
}

}  // namespace cordon::mcp_tools
