// The path grammars of Windows and macOS as pure functions, so that their rules
// are tested, and explained by `cordon why`, on any system.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/result.h"
#include "path/name_rules.h"

namespace cordon::path {

enum class Grammar { kPosix, kWindows, kMacos };

// The components of an untrusted path below a root, never "", "." or, under
// Windows' grammar, "..", which that system resolves by text before it looks.
struct ParsedPath {
  std::vector<std::string> components;
  bool must_be_directory = false;
};

// Reads `untrusted` below the root whose absolute spellings are `roots`, by the
// rules of `grammar`.
// Errors: kInvalidPath (empty, NUL, too long, a name the system cannot hold;
//   violation kDevice for reserved device names), kPathOutsideProject (absolute
//   elsewhere, drive-relative, UNC, verbatim or device prefix, ".." above the
//   root).
Result<ParsedPath> Parse(Grammar grammar, std::string_view untrusted,
                         std::span<const std::string> roots);

// The names in `untrusted` below the root, "/"-separated, ".." kept and nothing
// judged, for a deny list to look at before Parse's verdict is heard: a denied
// name in a spelling that Parse refuses (".git::$INDEX_ALLOCATION") is then
// reported as denied. Empty if the path is not below the root.
std::string NamesBelowRoot(Grammar grammar, std::string_view untrusted,
                           std::span<const std::string> roots);

// Where the text of a link leads.
struct LinkReading {
  enum class Kind {
    kRelative,  // from the directory that holds the link
    kInside,    // from the root
    kOutside,   // elsewhere, or nowhere that could be told
  };
  Kind kind = Kind::kOutside;
  // Empty for kOutside. Under Windows' grammar ".." occurs only at the beginning,
  // and only for kRelative.
  ParsedPath path;
};

// Reads the text of a link found below the root. `\??\` and `\\?\` before a drive
// are accepted under Windows' grammar, because that is how the system itself
// stores the targets of junctions.
LinkReading ReadLinkText(Grammar grammar, std::string_view text,
                         std::span<const std::string> roots);

// The rules by which that system's ordinary volumes compare names.
NameRules DefaultNameRules(Grammar grammar);

}  // namespace cordon::path
