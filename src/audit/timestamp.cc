#include "audit/timestamp.h"

#include <chrono>
#include <cstdio>

namespace cordon::audit {
namespace {

// Takes text from the front, piece by piece.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  // Exactly `count` digits.
  std::optional<int> Number(std::size_t count) {
    if (rest_.size() < count) return std::nullopt;
    int value = 0;
    for (const char c : rest_.substr(0, count)) {
      if (c < '0' || c > '9') return std::nullopt;
      value = value * 10 + (c - '0');
    }
    rest_.remove_prefix(count);
    return value;
  }

  // One of `characters`, or NUL.
  char OneOf(std::string_view characters) {
    if (rest_.empty() || characters.find(rest_.front()) == std::string_view::npos) return '\0';
    const char found = rest_.front();
    rest_.remove_prefix(1);
    return found;
  }

  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

std::optional<std::int64_t> Date(Scanner& scan) {
  const auto year = scan.Number(4);
  if (!year || scan.OneOf("-") == '\0') return std::nullopt;
  const auto month = scan.Number(2);
  if (!month || scan.OneOf("-") == '\0') return std::nullopt;
  const auto day = scan.Number(2);
  if (!day || *year < 1678 || *year > 2261) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count() * 86'400 * kNsPerSecond;
}

// "13:42", in seconds.
std::optional<std::int64_t> HourAndMinute(Scanner& scan) {
  const auto hour = scan.Number(2);
  if (!hour || *hour > 23 || scan.OneOf(":") == '\0') return std::nullopt;
  const auto minute = scan.Number(2);
  if (!minute || *minute > 59) return std::nullopt;
  return *hour * 3600 + *minute * 60;
}

// ".123" or nothing.
std::optional<std::int64_t> Fraction(Scanner& scan) {
  if (scan.OneOf(".") == '\0') return 0;
  std::int64_t ns = 0;
  std::int64_t unit = kNsPerSecond / 10;
  while (const auto digit = scan.Number(1)) {
    if (unit == 0) return std::nullopt;
    ns += *digit * unit;
    unit /= 10;
  }
  if (unit == kNsPerSecond / 10) return std::nullopt;  // no digit at all
  return ns;
}

// What to subtract for UTC, in seconds.
std::optional<std::int64_t> Offset(Scanner& scan) {
  const char sign = scan.OneOf("Zz+-");
  if (sign == 'Z' || sign == 'z') return 0;
  if (sign == '\0') return std::nullopt;
  const auto offset = HourAndMinute(scan);
  if (!offset) return std::nullopt;
  return sign == '-' ? -*offset : *offset;
}

}  // namespace

std::optional<std::int64_t> ParseTimestamp(std::string_view text) {
  Scanner scan(text);
  const auto day = Date(scan);
  if (!day || scan.OneOf("Tt ") == '\0') return std::nullopt;
  const auto minutes = HourAndMinute(scan);
  if (!minutes || scan.OneOf(":") == '\0') return std::nullopt;
  const auto second = scan.Number(2);
  if (!second || *second > 59) return std::nullopt;
  const auto fraction = Fraction(scan);
  if (!fraction) return std::nullopt;
  const auto offset = Offset(scan);
  if (!offset || !scan.at_end()) return std::nullopt;
  return *day + (*minutes + *second - *offset) * kNsPerSecond + *fraction;
}

std::optional<std::int64_t> ParseDate(std::string_view text) {
  Scanner scan(text);
  const auto day = Date(scan);
  return scan.at_end() ? day : std::nullopt;
}

std::string FormatSeconds(std::int64_t time_ns) {
  const std::chrono::sys_time<std::chrono::nanoseconds> time{std::chrono::nanoseconds(time_ns)};
  const auto days = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(days);
  const auto second = std::chrono::floor<std::chrono::seconds>(time - days).count();
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02dZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(second / 3600), static_cast<int>(second / 60 % 60),
                static_cast<int>(second % 60));
  return text;
}

}  // namespace cordon::audit
