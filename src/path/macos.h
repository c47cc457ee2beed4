// The path grammar of macOS as pure text.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cordon/result.h"
#include "path/grammar.h"

namespace cordon::path {

// As Parse. Absolute paths are compared with the root without regard to letter
// case and normal form, and "/private" before tmp, var and etc makes no
// difference; the firmlink spelling ("/System/Volumes/Data/...") of a root given
// otherwise is refused. Refused, too: named forks, names that are ".", ".." or
// nothing once HFS+ has ignored what it ignores, and what is not UTF-8.
// ".." stays a component: only the file system knows where it leads.
Result<ParsedPath> ParseMacos(std::string_view untrusted, std::span<const std::string> roots);

// As NamesBelowRoot.
std::string MacosNamesBelowRoot(std::string_view untrusted, std::span<const std::string> roots);

// As ReadLinkText.
LinkReading ReadMacosLink(std::string_view text, std::span<const std::string> roots);

}  // namespace cordon::path
