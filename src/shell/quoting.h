// The texts that quotes and braces stand for.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::shell {

// What stands between $' and ', with its escapes carried out; it ends at a NUL, as in bash.
std::string DecodeAnsiQuotes(std::string_view inside);

// What stands between backquotes, as the shell reads it: \`, \\ and \$ lose the backslash,
// and inside double quotes \" does.
enum class Around { kNothing, kDoubleQuotes };
std::string DecodeBackquotes(std::string_view inside, Around around);

// "a{b,c}" as "ab" and "ac", {1..3} as "1", "2", "3"; quotes stay. Nothing if they are too
// many or too deep to say.
std::optional<std::vector<std::string>> ExpandBraces(std::string_view word);

// A command line that bash reads as these words.
std::string QuotedLine(std::span<const std::string> words);

}  // namespace cordon::shell
