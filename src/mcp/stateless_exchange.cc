#include "mcp/stateless_exchange.h"

#include <utility>

#include "mcp/questions.h"

namespace cordon::mcp {
namespace {

namespace json = boost::json;

std::optional<LogLevel> ThresholdOf(const json::object& params) {
  const json::object* const meta = MetaOf(params);
  const json::value* const level =
      meta == nullptr ? nullptr : meta->if_contains("io.modelcontextprotocol/logLevel");
  if (level == nullptr || !level->is_string()) return std::nullopt;
  return ParseLogLevel(level->get_string());
}

const json::object* ResponsesIn(const json::object& params) {
  const json::value* const value = params.if_contains("inputResponses");
  return value == nullptr ? nullptr : value->if_object();
}

}  // namespace

bool MayAsk(std::string_view method) {
  return method == "tools/call" || method == "resources/read" || method == "prompts/get";
}

StatelessExchange::StatelessExchange(const Client& client, const json::object& params,
                                     std::optional<json::object> carried, std::stop_token stop,
                                     std::shared_ptr<ReplyStream> stream)
    : client_(client),
      responses_(ResponsesIn(params)),
      carried_(std::move(carried)),
      stop_(std::move(stop)),
      notices_(params, ThresholdOf(params), std::move(stream)) {}

const std::shared_ptr<void>& StatelessExchange::attachment() const {
  static const std::shared_ptr<void> kNone;
  return kNone;
}

void StatelessExchange::Progress(double done, std::optional<double> total,
                                 std::string_view message) {
  notices_.Progress(done, total, message);
}

void StatelessExchange::Log(LogLevel level, std::string_view logger, const json::value& data) {
  notices_.Log(level, logger, data);
}

tl::expected<json::object, AskFailure> StatelessExchange::Ask(
    std::string_view key, std::string_view method, const json::object& params,
    std::chrono::milliseconds /*patience*/) {
  if (!CanBeAsked(client_, method)) return tl::make_unexpected(AskFailure::kIncapable);
  const json::value* const given = responses_ == nullptr ? nullptr : responses_->if_contains(key);
  // What is no answer is asked for again.
  if (given != nullptr && given->is_object()) return given->get_object();
  json::object question{{"method", method}};
  if (!params.empty()) question["params"] = params;
  pending_[key] = std::move(question);
  return tl::make_unexpected(AskFailure::kPending);
}

}  // namespace cordon::mcp
