#include "path/windows.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "base/try.h"
#include "base/unicode.h"
#include "path/refusal.h"
#include "path/windows_names.h"

namespace cordon::path {
namespace {

constexpr std::string_view kSeparators = "\\/";

using Parts = std::vector<std::string_view>;

bool IsSeparator(char c) { return c == '\\' || c == '/'; }

// How a path says where it starts.
enum class Start {
  kRelative,
  kRooted,         // "\x": on whatever drive is current
  kDriveRelative,  // "C:x": in whatever directory is current there
  kDrive,          // "C:\x"
  kShare,          // "\\server\share\x"
  kDevice,         // "\\?\x", "\\.\x", "\??\x"
};

struct Split {
  Start start = Start::kRelative;
  std::string anchor;     // of kDrive and kShare, in upper case
  std::string_view rest;  // what follows
};

std::string_view TakePart(std::string_view& text) {
  const std::string_view part = text.substr(0, text.find_first_of(kSeparators));
  text.remove_prefix(std::min(part.size() + 1, text.size()));
  return part;
}

Split SplitShare(std::string_view after_slashes) {
  Split split{Start::kShare, {}, after_slashes};
  const std::string_view server = TakePart(split.rest);
  const std::string_view share = TakePart(split.rest);
  split.anchor = unicode::UpcaseSimple(server) + '\\' + unicode::UpcaseSimple(share);
  return split;
}

Split SplitStart(std::string_view text) {
  if (IsDriveLike(text)) {
    const std::size_t colon = text.find(':');
    const std::string_view rest = text.substr(colon + 1);
    if (rest.empty() || !IsSeparator(rest.front())) return {Start::kDriveRelative, {}, rest};
    return {Start::kDrive, unicode::UpcaseSimple(text.substr(0, colon + 1)), rest};
  }
  if (text.empty() || !IsSeparator(text.front())) return {Start::kRelative, {}, text};
  if (text.size() >= 4 && text.substr(1, 2) == "??" && IsSeparator(text[3])) {
    return {Start::kDevice, {}, text.substr(4)};
  }
  if (text.size() < 2 || !IsSeparator(text[1])) return {Start::kRooted, {}, text.substr(1)};
  std::string_view rest = text.substr(2);
  std::string_view after = rest;
  const std::string_view first = TakePart(after);
  if (first == "." || first == "?") return {Start::kDevice, {}, after};
  return SplitShare(rest);
}

// Of a path the system itself has written, without the prefix that stops Win32
// from reading it.
Split SplitTrusted(std::string_view text) {
  Split split = SplitStart(text);
  if (split.start != Start::kDevice) return split;
  std::string_view share = split.rest;
  if (unicode::UpcaseSimple(TakePart(share)) == "UNC") return SplitShare(share);
  Split inner = SplitStart(split.rest);
  return inner.start == Start::kDrive ? inner : split;
}

// All parts but "" and ".".
Parts SplitParts(std::string_view text) {
  Parts parts;
  while (!text.empty()) {
    const std::string_view part = TakePart(text);
    if (!part.empty() && part != ".") parts.push_back(part);
  }
  return parts;
}

// Resolves ".." by text; those that lead above the beginning stay there.
Parts Resolve(const Parts& parts) {
  Parts kept;
  for (const std::string_view part : parts) {
    if (part == ".." && !kept.empty() && kept.back() != "..") {
      kept.pop_back();
    } else {
      kept.push_back(part);
    }
  }
  return kept;
}

// Drops the ".." that Resolve left: a drive has nothing above it.
Parts ResolveFromDrive(const Parts& parts) {
  Parts kept = Resolve(parts);
  std::size_t above = 0;
  while (above < kept.size() && kept[above] == "..") ++above;
  kept.erase(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(above));
  return kept;
}

bool MustBeDirectory(std::string_view text) {
  if (text.empty()) return false;
  if (IsSeparator(text.back())) return true;
  return text == "." ||
         (text.back() == '.' && text.size() >= 2 && IsSeparator(text[text.size() - 2]));
}

// What of `parts` is below a root with the same anchor; nothing if it is not below.
std::optional<Parts> StripRoots(const Split& split, const Parts& parts,
                                std::span<const std::string> roots) {
  for (const std::string& root : roots) {
    const Split trusted = SplitTrusted(root);
    if (trusted.start != split.start || trusted.anchor != split.anchor) continue;
    const Parts expected = ResolveFromDrive(SplitParts(trusted.rest));
    if (expected.size() > parts.size()) continue;
    bool same = true;
    for (std::size_t i = 0; same && i < expected.size(); ++i) {
      same = unicode::UpcaseSimple(parts[i]) == unicode::UpcaseSimple(expected[i]);
    }
    if (same)
      return Parts(parts.begin() + static_cast<std::ptrdiff_t>(expected.size()), parts.end());
  }
  return std::nullopt;
}

Error RefuseStart(const Split& split) {
  switch (split.start) {
    case Start::kRooted:
      return OutsidePath("\\", "a path from the root of the current drive", Violation::kAbsolute);
    case Start::kDriveRelative:
      return OutsidePath("", "a path that depends on a drive's current directory",
                         Violation::kAbsolute);
    case Start::kDevice:
      if (IsReservedDeviceName(split.rest) &&
          split.rest.find_first_of(kSeparators) == std::string_view::npos) {
        return DeviceName(split.rest);
      }
      return OutsidePath("", "a device or verbatim path", Violation::kAbsolute);
    case Start::kShare: return OutsidePath("", "a path on a network share", Violation::kAbsolute);
    case Start::kDrive:
    case Start::kRelative: break;
  }
  return OutsidePath("", "an absolute path that is not below the root", Violation::kAbsolute);
}

Status CheckNames(const Parts& parts) {
  for (const std::string_view part : parts) {
    if (part != "..") TRY(CheckWindowsName(part));
  }
  return {};
}

// Parts that some version of Windows would not read as names at all.
Status CheckForEscape(const Parts& parts) {
  for (const std::string_view part : parts) {
    if (IsDriveLike(part)) {
      return OutsidePath(part, "a drive in the middle of a path", Violation::kAbsolute);
    }
    if (IsDisguisedDotDot(part)) {
      return OutsidePath(part, "dots and spaces that may be read as \"..\"", Violation::kTraversal);
    }
  }
  return {};
}

ParsedPath Own(const Parts& parts, std::string_view text) {
  return {std::vector<std::string>(parts.begin(), parts.end()), MustBeDirectory(text)};
}

std::string Join(const Parts& parts) {
  std::string joined;
  for (const std::string_view part : parts) {
    if (!joined.empty()) joined += '/';
    joined += part;
  }
  return joined;
}

Result<ParsedPath> ParseAbsolute(const Split& split, std::span<const std::string> roots) {
  const Parts parts = SplitParts(split.rest);
  const std::optional<Parts> below = StripRoots(split, ResolveFromDrive(parts), roots);
  if (!below) return RefuseStart(split);
  TRY(CheckForEscape(parts));
  TRY(CheckNames(parts));
  return Own(*below, split.rest);
}

}  // namespace

Result<ParsedPath> ParseWindows(std::string_view untrusted, std::span<const std::string> roots) {
  TRY(CheckText(untrusted));
  const Split split = SplitStart(untrusted);
  if (split.start == Start::kDrive || split.start == Start::kShare) {
    return ParseAbsolute(split, roots);
  }
  if (split.start != Start::kRelative) return RefuseStart(split);
  const Parts parts = SplitParts(untrusted);
  TRY(CheckForEscape(parts));
  const Parts resolved = Resolve(parts);
  if (!resolved.empty() && resolved.front() == "..") {
    return OutsidePath("..", "\"..\" leads above the root", Violation::kTraversal);
  }
  TRY(CheckNames(parts));
  return Own(resolved, untrusted);
}

std::string WindowsNamesBelowRoot(std::string_view untrusted, std::span<const std::string> roots) {
  const Split split = SplitStart(untrusted);
  const Parts parts = SplitParts(split.rest);
  if (split.start == Start::kRelative) return Join(parts);
  if (split.start != Start::kDrive && split.start != Start::kShare) return {};
  // As written where the root is written out, so that what ".." undoes is seen, too.
  std::optional<Parts> below = StripRoots(split, parts, roots);
  if (!below) below = StripRoots(split, ResolveFromDrive(parts), roots);
  return below ? Join(*below) : std::string();
}

LinkReading ReadWindowsLink(std::string_view text, std::span<const std::string> roots) {
  if (!CheckText(text)) return {};
  const Split split = SplitTrusted(text);
  if (split.start == Start::kDrive || split.start == Start::kShare) {
    Result<ParsedPath> parsed = ParseAbsolute(split, roots);
    if (!parsed) return {};
    return {LinkReading::Kind::kInside, std::move(*parsed)};
  }
  if (split.start != Start::kRelative) return {};
  const Parts parts = SplitParts(text);
  if (!CheckForEscape(parts) || !CheckNames(parts)) return {};
  return {LinkReading::Kind::kRelative, Own(Resolve(parts), text)};
}

}  // namespace cordon::path
