#include "tools/path_text.h"

#include <vector>

namespace cordon::tools {

std::string AbsoluteText(const guard::Boundary& boundary, std::string_view asked) {
  std::string whole(asked);
  if (!asked.starts_with('/')) whole = boundary.workspace().real_path() + "/" + whole;
  std::vector<std::string_view> names;
  for (std::string_view rest = whole; !rest.empty();) {
    const std::size_t slash = rest.find('/');
    const std::string_view name = rest.substr(0, slash);
    rest.remove_prefix(slash == rest.npos ? rest.size() : slash + 1);
    if (name.empty() || name == ".") continue;
    if (name != "..") {
      names.push_back(name);
    } else if (!names.empty()) {
      names.pop_back();
    }
  }
  std::string absolute;
  for (const std::string_view name : names) absolute += "/" + std::string(name);
  return absolute.empty() ? "/" : absolute;
}

bool LeadsOut(const guard::Boundary& boundary, std::string_view asked) {
  const std::string absolute = AbsoluteText(boundary, asked);
  return boundary.Locate(absolute).zone == policy::Zone::kOutside;
}

std::string RootsText(const guard::Boundary& boundary, std::string_view separator) {
  std::string roots;
  for (const guard::Boundary::Place& place : boundary.places()) {
    if (!roots.empty()) roots += separator;
    roots += place.root->real_path();
  }
  return roots;
}

std::string FileUrl(std::string_view absolute) {
  static constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/!$&'()*+,;=:@";
  static constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string url = "file://";
  for (const char c : absolute) {
    if (kPlain.find(c) != kPlain.npos) {
      url += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    url += '%';
    url += kDigits[byte >> 4U];
    url += kDigits[byte & 0xFU];
  }
  return url;
}

}  // namespace cordon::tools
