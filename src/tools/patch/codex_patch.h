// "*** Begin Patch" and what follows.
#pragma once

#include <string_view>

#include "tools/patch/patch.h"

namespace cordon::tools {

// The lines between a shell's here-document or a Markdown fence, if the patch came in one.
std::string_view WithoutWrapping(std::string_view text);

// Whether the first line that is not blank begins such a patch.
bool IsCodexPatch(std::string_view text);

// `text` has "\n" as its only line end and outlives the patch. Lenient as the original:
// the first "@@" of a file may be missing, an empty line is an empty line of context,
// blanks around markers do not matter.
// Errors: kInvalidArguments, kLimitExceeded.
Result<Patch> ParseCodexPatch(std::string_view text);

}  // namespace cordon::tools
