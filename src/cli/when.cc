#include "cli/when.h"

#include <charconv>
#include <chrono>
#include <limits>
#include <optional>
#include <string>

#include "audit/timestamp.h"
#include "base/printable.h"
#include "cli/report.h"

namespace cordon::cli {
namespace {

constexpr std::int64_t kSecondsPerDay = 86'400;

std::optional<std::int64_t> SecondsPer(char unit) {
  switch (unit) {
    case 's': return 1;
    case 'm': return 60;
    case 'h': return 3600;
    case 'd': return kSecondsPerDay;
    case 'w': return 7 * kSecondsPerDay;
    default: return std::nullopt;
  }
}

// "10m", in nanoseconds; what is longer than time itself is all of it.
std::optional<std::int64_t> ParseSpan(std::string_view text) {
  if (text.size() < 2) return std::nullopt;
  const auto unit = SecondsPer(text.back());
  std::uint32_t count = 0;
  const char* const end = text.data() + text.size() - 1;
  const auto [stopped, error] = std::from_chars(text.data(), end, count);
  if (!unit || error != std::errc() || stopped != end) return std::nullopt;
  constexpr std::int64_t kLongest = std::numeric_limits<std::int64_t>::max();
  if (count > kLongest / audit::kNsPerSecond / *unit) return kLongest;
  return count * *unit * audit::kNsPerSecond;
}

}  // namespace

Result<std::int64_t> ParseWhen(std::string_view text, SpanEnd end, std::int64_t now_ns) {
  if (const auto time = audit::ParseTimestamp(text)) return *time;
  if (const auto day = audit::ParseDate(text)) {
    return end == SpanEnd::kSince ? *day : *day + kSecondsPerDay * audit::kNsPerSecond - 1;
  }
  if (const auto span = ParseSpan(text)) return now_ns - *span;
  const std::string flag = end == SpanEnd::kSince ? "--since" : "--until";
  return UsageError(flag + ": " + Quoted(text) +
                    " is not a time; use 2026-11-15T13:42:13Z, 2026-11-15 or, before now, 90s, "
                    "10m, 2h, 3d, 1w");
}

std::int64_t NowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace cordon::cli
