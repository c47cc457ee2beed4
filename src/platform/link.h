// Symbolic links by descriptor.
#pragma once

#include <string>

#include "cordon/result.h"

namespace cordon::platform {

// The text of the link that `link` (OpenIntent::kReference) refers to.
Result<std::string> ReadLinkText(int link);

// True if the link is the kernel's own (procfs): its text does not say where it
// leads. True as well when that cannot be found out.
bool IsMagicLink(int link);

// Makes the entry `name` of `directory` a link with that text.
Status MakeLink(const char* text, int directory, const char* name);

}  // namespace cordon::platform
