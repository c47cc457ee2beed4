// Who may do what with a file, kept for the file that takes its place.
#pragma once

#include <cstdint>
#include <string>

#include "cordon/result.h"
#include "platform/file_stat.h"

namespace cordon::confine {

// New content must not inherit the right to run as someone else.
inline constexpr std::uint32_t kKeptModeBits = 0777;

// Gives `file`, which nobody else can open yet, the owner, group, mode, access control
// list and user attributes of `old`, the entry `name` of `directory`, as far as this
// process may and knows.
//
// Guarantees: at no instant can anyone open `file` who could not open `old`, but its
//   owner. What is not known or may not be kept is taken for the narrower.
Status KeepTerms(int directory, const std::string& name, const platform::FileStat& old, int file);

}  // namespace cordon::confine
