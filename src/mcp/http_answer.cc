#include "mcp/http_answer.h"

#include <boost/json/parse.hpp>
#include <utility>

namespace cordon::mcp {

namespace json = boost::json;

net::HttpResponse PlainText(std::uint16_t status, std::string_view why) {
  std::string text(why);
  text += '\n';
  return {status, {{"Content-Type", "text/plain; charset=utf-8"}}, std::move(text)};
}

net::HttpResponse JsonAnswer(std::uint16_t status, std::string text) {
  return {status, {{"Content-Type", "application/json"}}, std::move(text)};
}

net::HttpResponse ErrorAnswer(std::uint16_t status, const std::optional<Id>& id,
                              const RpcError& error) {
  return JsonAnswer(status, ErrorText(id, error));
}

std::uint16_t StatusOf(const std::optional<RpcCode>& failure, Era era) {
  if (!failure) return 200;
  if (*failure == RpcCode::kInsufficientScope) return 403;
  if (era == Era::kHandshake) return 200;
  switch (*failure) {
    case RpcCode::kMethodNotFound: return 404;
    case RpcCode::kParseError:
    case RpcCode::kInvalidRequest:
    case RpcCode::kHeaderMismatch:
    case RpcCode::kMissingCapability:
    case RpcCode::kUnsupportedRevision: return 400;
    default: return 200;
  }
}

std::string ScopesIn(std::string_view response) {
  boost::system::error_code failed;
  const json::value parsed =
      json::parse(json::string_view(response.data(), response.size()), failed);
  if (failed) return "";
  const json::value* const scope = parsed.find_pointer("/error/data/scope", failed);
  return scope != nullptr && scope->is_string() ? std::string(scope->get_string()) : "";
}

}  // namespace cordon::mcp
