// The path grammar of Windows as pure text, as its Win32 layer and NTFS have it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cordon/result.h"
#include "path/grammar.h"

namespace cordon::path {

// As Parse. "/" and "\" both separate; ".." is resolved by text. Only an absolute
// path in a root's own ordinary spelling, letter case aside, is inside: verbatim
// ("\\?\"), device ("\\.\", "\??\"), rooted, drive-relative and 8.3 spellings are
// refused wherever they lead. That a path leads out is reported before a name
// that could not be.
// `roots` themselves may be verbatim or on a share.
Result<ParsedPath> ParseWindows(std::string_view untrusted, std::span<const std::string> roots);

// As NamesBelowRoot.
std::string WindowsNamesBelowRoot(std::string_view untrusted, std::span<const std::string> roots);

// As ReadLinkText.
LinkReading ReadWindowsLink(std::string_view text, std::span<const std::string> roots);

}  // namespace cordon::path
