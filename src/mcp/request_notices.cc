#include "mcp/request_notices.h"

#include <utility>

#include "mcp/message.h"

namespace cordon::mcp {
namespace {

namespace json = boost::json;

constexpr std::chrono::milliseconds kProgressPause{10};

json::value TokenOf(const json::object& params) {
  const json::object* const meta = MetaOf(params);
  const json::value* const token = meta == nullptr ? nullptr : meta->if_contains("progressToken");
  if (token == nullptr || !Id::Of(*token)) return nullptr;
  return *token;
}

}  // namespace

const json::object* MetaOf(const json::object& params) {
  const json::value* const meta = params.if_contains("_meta");
  return meta == nullptr ? nullptr : meta->if_object();
}

RequestNotices::RequestNotices(const json::object& params, std::optional<LogLevel> threshold,
                               std::shared_ptr<MessageSink> sink)
    : token_(TokenOf(params)), threshold_(threshold), sink_(std::move(sink)) {}

void RequestNotices::Progress(double done, std::optional<double> total, std::string_view message) {
  if (token_.is_null() || (reported_ && done <= *reported_)) return;
  const auto now = std::chrono::steady_clock::now();
  if (reported_ && now - last_ < kProgressPause) return;
  reported_ = done;
  last_ = now;
  json::object params{{"progressToken", token_}, {"progress", done}};
  if (total) params["total"] = *total;
  if (!message.empty()) params["message"] = message;
  sink_->Send(NotificationText("notifications/progress", params));
}

void RequestNotices::Log(LogLevel level, std::string_view logger, const json::value& data) {
  if (!threshold_ || level < *threshold_) return;
  json::object params{{"level", LogLevelName(level)}, {"data", data}};
  if (!logger.empty()) params["logger"] = logger;
  sink_->Send(NotificationText("notifications/message", params));
}

}  // namespace cordon::mcp
