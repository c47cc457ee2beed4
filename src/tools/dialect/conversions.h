// Values of other agents' arguments as ours have them.
#pragma once

#include "tools/dialect/table.h"

namespace cordon::tools::dialect {

// mcp-filesystem. 0 is as if it were not given. Errors: kInvalidArguments for both at
// once, and for fewer than none.
Result<boost::json::value> HeadAsEndLine(const Arguments& given);
Result<boost::json::value> TailAsStartLine(const Arguments& given);
// "edits" of {"oldText", "newText"}.
Result<boost::json::value> EditPairs(const Arguments& given);
// Patterns over paths, of which those without a star mean any directory.
Result<boost::json::value> TreeExcludes(const Arguments& given);

// {"old_string", "new_string", "replace_all"} or "allow_multiple", as one edit.
Result<boost::json::value> OneEdit(const Arguments& given);
// {"old_str", "new_str"}: what is not given is empty.
Result<boost::json::value> OneOpenHandsEdit(const Arguments& given);
// {"old_text", "new_text"}
Result<boost::json::value> OneLaceEdit(const Arguments& given);

}  // namespace cordon::tools::dialect
