// What a person sees before they agree to a command line.
#pragma once

#include <string>
#include <string_view>

namespace cordon::tools {

// A command line's risk with the gravest reasons, and the files, programs and hosts its
// text names. Untrusted text; whoever shows it makes it safe.
std::string CommandPreview(std::string_view untrusted);

}  // namespace cordon::tools
