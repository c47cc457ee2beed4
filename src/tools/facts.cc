#include "tools/facts.h"

#include <array>
#include <charconv>
#include <chrono>
#include <concepts>

namespace cordon::tools {
namespace {

// With zeros before it, up to `width` digits.
std::string Padded(std::integral auto number, std::size_t width, int base = 10) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, base).ptr;
  std::string text(digits.data(), end);
  if (text.size() < width) text.insert(0, width - text.size(), '0');
  return text;
}

}  // namespace

using platform::FileType;

std::string_view KindName(FileType type) {
  switch (type) {
    case FileType::kRegular: return "file";
    case FileType::kDirectory: return "directory";
    case FileType::kSymlink: return "link";
    case FileType::kFifo: return "fifo";
    case FileType::kSocket: return "socket";
    case FileType::kDevice: return "device";
    case FileType::kUnknown: break;
  }
  return "unknown";
}

std::string OctalMode(std::uint32_t mode) { return Padded(mode & 07777U, 4, 8); }

std::string Timestamp(std::int64_t time_ns) {
  using std::chrono::days, std::chrono::milliseconds, std::chrono::nanoseconds;
  using std::chrono::floor, std::chrono::hh_mm_ss, std::chrono::sys_time;
  using std::chrono::year_month_day;
  const sys_time<nanoseconds> time{nanoseconds(time_ns)};
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(floor<milliseconds>(time - day));
  return Padded(static_cast<int>(date.year()), 4) + "-" +
         Padded(static_cast<unsigned>(date.month()), 2) + "-" +
         Padded(static_cast<unsigned>(date.day()), 2) + "T" + Padded(clock.hours().count(), 2) +
         ":" + Padded(clock.minutes().count(), 2) + ":" + Padded(clock.seconds().count(), 2) + "." +
         Padded(clock.subseconds().count(), 3) + "Z";
}

void AddFacts(boost::json::object& data, const platform::FileStat& stat) {
  data["kind"] = KindName(stat.type);
  data["size"] = stat.size;
  data["mode"] = OctalMode(stat.mode);
  data["links"] = stat.links;
  data["modified"] = Timestamp(stat.modified_ns);
  data["accessed"] = Timestamp(stat.accessed_ns);
  if (stat.created_ns != 0) data["created"] = Timestamp(stat.created_ns);
}

std::string TellFacts(const platform::FileStat& stat) {
  return std::string(KindName(stat.type)) + ", " + std::to_string(stat.size) + " bytes, mode " +
         OctalMode(stat.mode) + ", modified " + Timestamp(stat.modified_ns);
}

}  // namespace cordon::tools
