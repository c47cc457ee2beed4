#include "tools/dialect/js_text.h"

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>

#include "base/unicode.h"

namespace cordon::tools::dialect {
namespace {

constexpr std::array<std::string_view, 7> kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

int NumberAt(std::string_view text, std::size_t at, std::size_t length) {
  int number = 0;
  const std::string_view digits = text.substr(at, length);
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

}  // namespace

std::string JsDate(std::string_view timestamp) {
  using std::chrono::day, std::chrono::month, std::chrono::year, std::chrono::sys_days;
  using std::chrono::weekday, std::chrono::year_month_day;
  constexpr std::size_t kSeconds = 19;  // "2026-11-15T13:42:13"
  if (timestamp.size() < kSeconds) return std::string(timestamp);
  const year_month_day date(year(NumberAt(timestamp, 0, 4)),
                            month(static_cast<unsigned>(NumberAt(timestamp, 5, 2))),
                            day(static_cast<unsigned>(NumberAt(timestamp, 8, 2))));
  if (!date.ok()) return std::string(timestamp);
  const weekday on(sys_days{date});
  return std::string(kDays[on.c_encoding()]) + " " +
         std::string(kMonths[static_cast<unsigned>(date.month()) - 1]) + " " +
         std::string(timestamp.substr(8, 2)) + " " + std::string(timestamp.substr(0, 4)) + " " +
         std::string(timestamp.substr(11, 8)) + " GMT+0000 (Coordinated Universal Time)";
}

std::string JsSize(std::int64_t bytes) {
  constexpr std::array<std::string_view, 5> kUnits{"B", "KB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  std::int64_t one = 1;
  while (unit + 1 < kUnits.size() && bytes / one >= 1024) {
    one *= 1024;
    ++unit;
  }
  if (unit == 0) return std::to_string(bytes) + " B";
  const std::int64_t hundredths =
      std::llround(static_cast<double>(bytes) / static_cast<double>(one) * 100);
  const std::int64_t after = hundredths % 100;
  return std::to_string(hundredths / 100) + (after < 10 ? ".0" : ".") + std::to_string(after) +
         " " + std::string(kUnits[unit]);
}

std::string PadEnd(std::string_view text, std::size_t width) {
  const std::size_t taken = unicode::Utf16Length(text);
  return std::string(text) + std::string(taken < width ? width - taken : 0, ' ');
}

std::string PadStart(std::string_view text, std::size_t width) {
  const std::size_t taken = unicode::Utf16Length(text);
  return std::string(taken < width ? width - taken : 0, ' ') + std::string(text);
}

std::string LastLines(std::string_view text, std::size_t count) {
  std::size_t begin = text.size();
  for (std::size_t line = 0; line < count; ++line) {
    const std::size_t newline = begin == 0 ? text.npos : text.rfind('\n', begin - 1);
    if (newline == text.npos) return std::string(text);
    if (line + 1 == count) return std::string(text.substr(newline + 1));
    begin = newline;
  }
  return {};
}

std::string WithPlainLineEnds(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\r' && at + 1 < text.size() && text[at + 1] == '\n') continue;
    plain += text[at];
  }
  return plain;
}

}  // namespace cordon::tools::dialect
