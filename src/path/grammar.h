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

// The rules by which that system's ordinary volumes compare names.
NameRules DefaultNameRules(Grammar grammar);

}  // namespace cordon::path
