// Points in time as people give them on the command line.
#pragma once

#include <cstdint>
#include <string_view>

#include "cordon/result.h"

namespace cordon::cli {

// Which end of a span is meant: of a date alone, --since is its beginning and
// --until its end.
enum class SpanEnd { kSince, kUntil };

// Nanoseconds since 1970: RFC 3339; a date alone, in UTC; or how long before
// `now_ns`: "90s", "10m", "2h", "3d", "1w".
// Errors: kInvalidArguments, naming the flag.
Result<std::int64_t> ParseWhen(std::string_view text, SpanEnd end, std::int64_t now_ns);

std::int64_t NowNs();

}  // namespace cordon::cli
