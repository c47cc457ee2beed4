#include "path/macos.h"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "base/try.h"
#include "base/unicode.h"
#include "path/posix.h"
#include "path/refusal.h"

namespace cordon::path {
namespace {

constexpr std::size_t kMaxNameUnits = 255;  // HFS+ and APFS count UTF-16

using Parts = std::vector<std::string_view>;

Parts SplitParts(std::string_view text) {
  Parts parts;
  Components components(text);
  for (std::string_view part = components.Next(); !part.empty(); part = components.Next()) {
    parts.push_back(part);
  }
  return parts;
}

bool IsPrivate(std::string_view part) { return unicode::FoldCase(part) == "private"; }

// How many parts at the beginning only say that /tmp, /var and /etc are links.
std::size_t PrivatePrefix(const Parts& parts) {
  if (parts.size() < 2 || !IsPrivate(parts[0])) return 0;
  const std::string second = unicode::FoldCase(parts[1]);
  return second == "tmp" || second == "var" || second == "etc" ? 1 : 0;
}

// What of an absolute path is below a root; nothing if it is not below.
std::optional<Parts> StripRoots(std::string_view text, std::span<const std::string> roots) {
  const Parts parts = SplitParts(text);
  const std::size_t skip = PrivatePrefix(parts);
  for (const std::string& root : roots) {
    const Parts expected = SplitParts(root);
    const std::size_t skip_expected = PrivatePrefix(expected);
    const std::size_t count = expected.size() - skip_expected;
    // "/" and "/private" hold the links' targets under their own names.
    const bool above = count == 0 || (skip_expected == 0 && IsPrivate(expected[0]));
    const std::size_t begin = above ? 0 : skip;
    if (parts.size() - begin < count) continue;
    bool same = true;
    for (std::size_t i = 0; same && i < count; ++i) {
      same = unicode::FoldCase(parts[begin + i]) == unicode::FoldCase(expected[skip_expected + i]);
    }
    if (same) return Parts(parts.begin() + static_cast<std::ptrdiff_t>(begin + count), parts.end());
  }
  return std::nullopt;
}

Status CheckName(std::string_view name) {
  const std::string key = NameKey(name, NameRules::kCaseFold | NameRules::kHfs);
  if (key == "..namedfork") return InvalidPath(name, "a fork of a file, not a file of its own");
  if (key.empty() || key == "." || key == "..") {
    return InvalidPath(name, "the name is empty or dots but for code points that HFS+ ignores",
                       Violation::kUnicode);
  }
  if (unicode::Utf16Length(name) > kMaxNameUnits) {
    return InvalidPath("", "a name is longer than 255 characters");
  }
  return {};
}

Status CheckNames(const Parts& parts) {
  for (const std::string_view part : parts) {
    if (part != "..") TRY(CheckName(part));
  }
  return {};
}

Status CheckEncoding(std::string_view text) {
  if (unicode::IsValidUtf8(text)) return {};
  return InvalidPath("", "the path is not valid UTF-8", Violation::kEncoding);
}

ParsedPath Own(const Parts& parts, std::string_view text) {
  return {std::vector<std::string>(parts.begin(), parts.end()),
          TrimTrailing(text).must_be_directory};
}

}  // namespace

Result<ParsedPath> ParseMacos(std::string_view untrusted, std::span<const std::string> roots) {
  TRY(CheckText(untrusted));
  TRY(CheckEncoding(untrusted));
  Parts parts;
  if (untrusted.starts_with('/')) {
    std::optional<Parts> below = StripRoots(untrusted, roots);
    if (!below) {
      return OutsidePath("/", "an absolute path that is not below the root", Violation::kAbsolute);
    }
    parts = std::move(*below);
  } else {
    parts = SplitParts(untrusted);
  }
  // Only the file system can tell where a later ".." leads; a leading one leaves.
  if (!parts.empty() && parts.front() == "..") {
    return OutsidePath("..", "\"..\" leads above the root", Violation::kTraversal);
  }
  TRY(CheckNames(parts));
  return Own(parts, untrusted);
}

std::string MacosNamesBelowRoot(std::string_view untrusted, std::span<const std::string> roots) {
  if (!untrusted.starts_with('/')) return std::string(untrusted);
  const std::optional<Parts> below = StripRoots(untrusted, roots);
  if (!below) return {};
  std::string joined;
  for (const std::string_view part : *below) {
    if (!joined.empty()) joined += '/';
    joined += part;
  }
  return joined;
}

LinkReading ReadMacosLink(std::string_view text, std::span<const std::string> roots) {
  if (text.starts_with('/')) {
    Result<ParsedPath> parsed = ParseMacos(text, roots);
    if (!parsed) return {};
    return {LinkReading::Kind::kInside, std::move(*parsed)};
  }
  const Parts parts = SplitParts(text);
  if (!CheckText(text) || !CheckEncoding(text) || !CheckNames(parts)) return {};
  return {LinkReading::Kind::kRelative, Own(parts, text)};
}

}  // namespace cordon::path
