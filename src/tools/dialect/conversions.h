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

// Patterns over paths from where the search begins.
Result<boost::json::value> SearchExcludes(const Arguments& given);
// A drive of Windows is no name below a POSIX root. Errors: kInvalidArguments.
Status RefuseDrives(const Arguments& given, const guard::Boundary& boundary);

// openhands. What is not given removes the old text.
Result<boost::json::value> NewStrOrNothing(const Arguments& given);
// "view_range": [first, last], -1 for the end.
Result<boost::json::value> ViewStart(const Arguments& given);
Result<boost::json::value> ViewEnd(const Arguments& given);

// Searches. Lines around a match are as many before as behind: the larger number counts.
Result<boost::json::value> GeminiContext(const Arguments& given);
Result<boost::json::value> ClaudeContext(const Arguments& given);
// "case_sensitive" or not; "-i" or not.
Result<boost::json::value> GeminiCase(const Arguments& given);
Result<boost::json::value> ClaudeCase(const Arguments& given);
Result<boost::json::value> FixedStrings(const Arguments& given);  // as a mode
Result<boost::json::value> NamesOnly(const Arguments& given);     // as an output
Result<boost::json::value> OutputMode(const Arguments& given);    // as an output
Result<boost::json::value> NotIgnored(const Arguments& given);    // "no_ignore"
Result<boost::json::value> FirstHundred(const Arguments& given);  // "total_max_matches"
Result<boost::json::value> HeadLimit(const Arguments& given);     // "head_limit"

}  // namespace cordon::tools::dialect
