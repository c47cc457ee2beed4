// Answers as the models of other agents are used to read them.
#pragma once

#include "tools/dialect/table.h"

namespace cordon::tools::dialect {

// The lines of a file; under the row's words if they are not all of it.
std::string ContentUnder(const Answer& ours, const Scene& scene);
// The same under the words in any case.
std::string AlwaysUnder(const Answer& ours, const Scene& scene);
// The row's words, then the changed lines with some around them, numbered as `cat -n` does.
std::string SnippetUnder(const Answer& ours, const Scene& scene);

std::string GeminiWrote(const Answer& ours, const Scene& scene);
std::string GeminiReplaced(const Answer& ours, const Scene& scene);
std::string GeminiListing(const Answer& ours, const Scene& scene);  // [DIR] first
std::string GeminiGlob(const Answer& ours, const Scene& scene);
std::string GeminiGrep(const Answer& ours, const Scene& scene);  // File:, L12:

std::string ClaudeWrote(const Answer& ours, const Scene& scene);
std::string ClaudeGlob(const Answer& ours, const Scene& scene);
std::string ClaudeGrep(const Answer& ours, const Scene& scene);
boost::json::object ClaudeReadData(const Answer& ours, const Scene& scene, std::string_view text);
// With the change as a structured patch.
boost::json::object ClaudeEditData(const Answer& ours, const Scene& scene, std::string_view text);

std::string OpenHandsListing(const Answer& ours, const Scene& scene);

}  // namespace cordon::tools::dialect
