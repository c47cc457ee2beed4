// Many operations in one session: a line of JSON in, a line of JSON out.
#pragma once

#include <iosfwd>

#include "cli/report.h"
#include "guard/guard.h"

namespace cordon::cli {

// Each line of `in` is a request (cli/file_request.h), with an "id" that comes back.
// Each answer is flushed before the next line is read. Ends with `in`; a line that is
// no request is answered and does not end it.
ExitStatus RunBatch(guard::Guard& guard, std::istream& in, std::ostream& out);

}  // namespace cordon::cli
