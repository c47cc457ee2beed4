// What a client is told while its request runs: progress and log messages.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string_view>

#include "mcp/log_level.h"
#include "mcp/reply_stream.h"

namespace cordon::mcp {

// Thread safety: one thread at a time.
class RequestNotices {
 public:
  // `params`: of the request; `_meta.progressToken` in it says whether progress is wanted.
  // `threshold`: none: no log messages.
  RequestNotices(const boost::json::object& params, std::optional<LogLevel> threshold,
                 std::shared_ptr<MessageSink> sink);

  // Reports that come too quickly, or do not go forward, are left out.
  void Progress(double done, std::optional<double> total, std::string_view message);
  void Log(LogLevel level, std::string_view logger, const boost::json::value& data);

 private:
  boost::json::value token_;  // null: not wanted
  std::optional<LogLevel> threshold_;
  std::shared_ptr<MessageSink> sink_;
  std::optional<double> reported_;
  std::chrono::steady_clock::time_point last_;
};

// `params._meta`, or null.
const boost::json::object* MetaOf(const boost::json::object& params);

}  // namespace cordon::mcp
