// Points in time as the log and people write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cordon::audit {

inline constexpr std::int64_t kNsPerSecond = 1'000'000'000;

// Nanoseconds since 1970, from RFC 3339: "2026-11-15T13:42:13Z", with up to nine
// digits after the second, "T" or a space, "Z" or an offset such as "+01:00".
// Nothing else, no date that does not exist, no leap second, nothing before 1678 or
// after 2261, which nanoseconds cannot count.
std::optional<std::int64_t> ParseTimestamp(std::string_view text);

// The day's beginning in UTC: "2026-11-15".
std::optional<std::int64_t> ParseDate(std::string_view text);

// "2026-11-15T13:42:13Z": whole seconds, rounded down.
std::string FormatSeconds(std::int64_t time_ns);

}  // namespace cordon::audit
