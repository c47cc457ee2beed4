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

// How many bytes of white space, as Unicode has it, a text begins or ends with.
constexpr std::array<std::string_view, 25> kBlanks{
    "\t",           "\n",           "\v",           "\f",           "\r",           " ",
    "\xC2\x85",     "\xC2\xA0",     "\xE1\x9A\x80", "\xE2\x80\x80", "\xE2\x80\x81", "\xE2\x80\x82",
    "\xE2\x80\x83", "\xE2\x80\x84", "\xE2\x80\x85", "\xE2\x80\x86", "\xE2\x80\x87", "\xE2\x80\x88",
    "\xE2\x80\x89", "\xE2\x80\x8A", "\xE2\x80\xA8", "\xE2\x80\xA9", "\xE2\x80\xAF", "\xE2\x81\x9F",
    "\xE3\x80\x80"};

std::size_t BlankAtFront(std::string_view text) {
  for (const std::string_view blank : kBlanks) {
    if (text.starts_with(blank)) return blank.size();
  }
  return 0;
}
std::size_t BlankAtEnd(std::string_view text) {
  for (const std::string_view blank : kBlanks) {
    if (text.ends_with(blank)) return blank.size();
  }
  return 0;
}

std::string_view TrimEnd(std::string_view text) {
  while (const std::size_t blank = BlankAtEnd(text)) text.remove_suffix(blank);
  return text;
}
std::string_view Trim(std::string_view text) {
  while (const std::size_t blank = BlankAtFront(text)) text.remove_prefix(blank);
  return TrimEnd(text);
}

// The name as it is meant, and as a reader would take it that drops one blank alone.
void AddNamed(const Header& header, std::string_view line, std::vector<PathUse>& paths) {
  const std::string_view rest = line.substr(header.text.size());
  const std::string_view trimmed = Trim(rest);
  paths.push_back({std::string(trimmed), header.operation});
  const std::string_view exact = TrimEnd(rest.starts_with(' ') ? rest.substr(1) : rest);
  if (exact != trimmed) paths.push_back({std::string(exact), header.operation});
}

}  // namespace

std::vector<PathUse> PathsOfPatch(std::string_view untrusted) {
  std::vector<PathUse> paths;
  while (!untrusted.empty()) {
    const std::size_t end = untrusted.find('\n');
    const std::string_view line = Trim(untrusted.substr(0, end));
    for (const Header& header : kHeaders) {
      if (line.starts_with(header.text)) AddNamed(header, line, paths);
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
