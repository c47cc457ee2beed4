// What edit_file and replace have in common: read, edit, show, write.
#pragma once

#include <span>

#include "tools/edit_text.h"
#include "tools/loaded_file.h"
#include "tools/outcome.h"
#include "tools/tool.h"

namespace cordon::tools {

// Edits the call's "path" under its "if_match"; with its "dry_run" nothing is written.
// Guarantees: what is written is made from what was read, or nothing is: kStaleFile.
Outcome EditPath(Context& context, const Arguments& arguments, std::span<const TextEdit> edits);

// Makes a file that is not there, with the directories above it. Errors: kAlreadyExists.
Outcome CreatePath(Context& context, const Arguments& arguments, std::string_view content);

}  // namespace cordon::tools
