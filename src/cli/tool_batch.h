// Many calls of tools in one session: a line of JSON in, a line of JSON out.
#pragma once

#include <boost/json/object.hpp>
#include <iosfwd>

#include "cli/report.h"
#include "guard/guard.h"
#include "tools/menu.h"

namespace cordon::cli {

// The result of a call: tools/result_object.h, with the text and what is no text.
boost::json::object ServedObject(tools::Served served);

// {"id": 1, "tool": "read_file", "arguments": {...}} a line; the "id" comes back. Each
// answer is flushed before the next line is read. A line that is no call is answered and
// does not end it.
ExitStatus RunToolBatch(const tools::Menu& menu, guard::Guard& guard, std::istream& in,
                        std::ostream& out);

}  // namespace cordon::cli
