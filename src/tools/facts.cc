#include "tools/facts.h"

#include <chrono>
#include <cstdio>

namespace cordon::tools {

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

std::string OctalMode(std::uint32_t mode) {
  char text[16];
  std::snprintf(text, sizeof text, "%04o", static_cast<unsigned>(mode & 07777U));
  return text;
}

std::string Timestamp(std::int64_t time_ns) {
  using namespace std::chrono;
  const sys_time<nanoseconds> time{nanoseconds(time_ns)};
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(floor<milliseconds>(time - day));
  char text[64];
  std::snprintf(
      text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(date.year()),
      static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
      static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
      static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
  return text;
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
