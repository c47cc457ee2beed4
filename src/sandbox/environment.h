// Which variables of a person's environment a command gets.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cordon/result.h"

namespace cordon::sandbox {

// Whether a variable passes although nobody asked for it: what programs need to find
// tools, speak the person's language and use the terminal. Nothing that usually holds a
// secret, names a socket, or makes a program load code.
bool PassesByItself(std::string_view name);

// `given`: all there are, as "NAME=value". `wanted`: "NAME" passes one on, "NAME=value"
// sets one. TMPDIR becomes /tmp. The result is sorted, each name once.
// Errors: kInvalidArguments for a name that is none.
Result<std::vector<std::string>> CommandEnvironment(const std::vector<std::string>& given,
                                                    const std::vector<std::string>& wanted);

}  // namespace cordon::sandbox
