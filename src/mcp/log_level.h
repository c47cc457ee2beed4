// How much a client wants to be told.
#pragma once

#include <optional>
#include <string_view>

namespace cordon::mcp {

enum class LogLevel { kDebug, kInfo, kNotice, kWarning, kError, kCritical, kAlert, kEmergency };
std::string_view LogLevelName(LogLevel level);  // "debug"
std::optional<LogLevel> ParseLogLevel(std::string_view name);

}  // namespace cordon::mcp
