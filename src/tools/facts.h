// What the system says about a file, as tools tell it.
#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <string_view>

#include "platform/file_stat.h"
#include "tools/field.h"

namespace cordon::tools {

// "file", "directory", "link", "fifo", "socket", "device", "unknown".
std::string_view KindName(platform::FileType type);

inline constexpr Field kInfoFields[] = {
    {"path", FieldType::kPath, Need::kRequired, "As it was asked for."},
    {"kind", FieldType::kText, Need::kRequired, "file, directory, link, fifo, socket or device."},
    {"size", FieldType::kInteger, Need::kRequired, "In bytes."},
    {"mode", FieldType::kText, Need::kRequired, "Permissions in octal digits."},
    {"links", FieldType::kInteger, Need::kRequired, "How many names it has."},
    {"modified", FieldType::kText, Need::kRequired, "RFC 3339, UTC."},
    {"accessed", FieldType::kText, Need::kRequired, "RFC 3339, UTC."},
    {"created", FieldType::kText, Need::kOptional, "RFC 3339, UTC; if the system keeps it."},
    {"link_text", FieldType::kPath, Need::kOptional, "Where a link leads, if inside."},
};

// Everything but the path.
void AddFacts(boost::json::object& data, const platform::FileStat& stat);
// "file, 123 bytes, mode 0644, modified 2026-11-15T13:42:13Z"
std::string TellFacts(const platform::FileStat& stat);

// "0644"
std::string OctalMode(std::uint32_t mode);
// "2026-11-15T13:42:13.123Z"
std::string Timestamp(std::int64_t time_ns);

}  // namespace cordon::tools
