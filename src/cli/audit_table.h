// Records for people: one line each, in columns.
#pragma once

#include <string>

#include "audit/reader.h"
#include "cli/output_style.h"

namespace cordon::cli {

// The names of the columns.
std::string RecordHeader(const OutputStyle& style);

// Time, event, decision, tool, path, and what went wrong. Where the columns are few,
// without the tool.
// Guarantees: one line without its newline, no wider than the style says, nothing in
//   it that steers a terminal but the style's own colours, whatever the record holds.
std::string RecordRow(const audit::Entry& entry, const OutputStyle& style);

}  // namespace cordon::cli
