#include "remote/api_client.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <utility>

#include "base/printable.h"
#include "base/try.h"
#include "net/web_socket_client.h"

namespace cordon::remote {
namespace {

namespace json = boost::json;
using std::chrono::milliseconds;

constexpr milliseconds kProblemTime{5000};
constexpr std::size_t kMostProblem = std::size_t{64} << 10;

json::object ObjectOf(std::string_view text) {
  json::error_code failed;
  json::value value = json::parse(text, failed);
  return failed || !value.is_object() ? json::object() : std::move(value.as_object());
}

std::string TextOf(const json::object& object, std::string_view name) {
  const json::value* const found = object.if_contains(name);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
}

ErrorCode CodeOf(std::string_view name, std::uint16_t status) {
  for (int i = 0; i <= static_cast<int>(ErrorCode::kIoError); ++i) {
    const auto code = static_cast<ErrorCode>(i);
    if (ErrorCodeName(code) == name) return code;
  }
  switch (status) {
    case 401:
    case 403: return ErrorCode::kPermissionDenied;
    case 404: return ErrorCode::kNotFound;
    case 409: return ErrorCode::kSandboxRequired;
    case 429:
    case 503: return ErrorCode::kLimitExceeded;
    default: return status < 500 ? ErrorCode::kInvalidArguments : ErrorCode::kIoError;
  }
}

// What helps against an answer, whatever was asked; "" where only the asker knows.
std::string NextStep(std::uint16_t status, const ServerPlace& place) {
  switch (status) {
    case 401:
      return "it does not take the token from " + Printable(place.token_source) +
             ": make another with 'cordon serve token create' and put it into CORDON_TOKEN";
    case 403: return "if a scope is missing, ask for a token that has it ('cordon serve token')";
    case 429:
    case 503: return "try again in a moment";
    case 500: return "the server's own output says more";
    default: return "";
  }
}

// What has come of a body that tells of a problem.
std::string Rest(net::HttpIncoming& incoming) {
  std::string body;
  while (body.size() < kMostProblem) {
    const auto piece = incoming.Next(kProblemTime);
    if (!piece || !*piece) break;
    body += **piece;
  }
  return body;
}

}  // namespace

net::HttpCall ApiClient::CallOf(std::string method, const std::string& target) const {
  net::HttpCall call;
  call.method = std::move(method);
  call.target = target;
  call.fields.Add("Authorization", "Bearer " + place_.token);
  return call;
}

Error ApiClient::Unreached(const Error& error) const {
  Error told = error;
  const std::string why =
      error.detail.empty() ? std::string(ErrorCodeName(error.code)) : error.detail;
  if (error.op != "connect") {
    told.detail = "the server at " + Printable(place_.address) + ": " + why;
    return told;
  }
  told.detail = "no server answers at " + Printable(place_.address) + " (from " +
                Printable(place_.address_source) + "): " + why +
                "; start one with 'cordon serve', or name it with --server or CORDON_SERVER";
  return told;
}

Error ApiClient::Refused(const net::HttpResponse& answer) const {
  const json::object body = ObjectOf(answer.body);
  json::object problem;
  if (const json::value* const found = body.if_contains("error");
      found != nullptr && found->is_object()) {
    problem = found->get_object();
  }
  Error error;
  error.op = "server";
  error.code = CodeOf(TextOf(problem, "code"), answer.status);
  error.rule = TextOf(problem, "rule");
  error.component = TextOf(problem, "component");
  const std::string message = TextOf(problem, "message");
  error.detail = "the server answers " + std::to_string(answer.status);
  if (!message.empty()) error.detail.append(": ").append(message);
  const std::string next = NextStep(answer.status, place_);
  if (!next.empty()) error.detail.append("; ").append(next);
  return error;
}

Result<json::object> ApiClient::Send(const net::HttpCall& call) const {
  const auto answer = client_.Send(call);
  if (!answer) return Unreached(answer.error());
  if (answer->status >= 400) return Refused(*answer);
  return ObjectOf(answer->body);
}

Result<json::object> ApiClient::Get(const std::string& target) const {
  return Send(CallOf("GET", target));
}

Result<json::object> ApiClient::Post(const std::string& target, const json::object& body) const {
  net::HttpCall call = CallOf("POST", target);
  call.fields.Add("Content-Type", "application/json");
  call.body = json::serialize(body);
  return Send(call);
}

Status ApiClient::Delete(const std::string& target) const {
  TRY(Send(CallOf("DELETE", target)));
  return {};
}

Result<json::object> ApiClient::Put(const std::string& target, net::HttpPieces pieces) const {
  net::HttpCall call = CallOf("PUT", target);
  call.fields.Add("Content-Type", "application/octet-stream");
  call.pieces = std::move(pieces);
  return Send(call);
}

Result<std::unique_ptr<net::HttpIncoming>> ApiClient::Stream(const net::HttpCall& call) const {
  auto incoming = client_.Open(call);
  if (!incoming) return Unreached(incoming.error());
  if ((*incoming)->head().status < 400) return incoming;
  net::HttpResponse answer = (*incoming)->head();
  answer.body = Rest(**incoming);
  return Refused(answer);
}

Result<std::unique_ptr<net::HttpIncoming>> ApiClient::Open(const std::string& target,
                                                           const net::HttpFields& fields) const {
  net::HttpCall call = CallOf("GET", target);
  for (const auto& [name, value] : fields.all()) call.fields.Add(name, value);
  return Stream(call);
}

Result<std::unique_ptr<net::HttpIncoming>> ApiClient::PostForEvents(
    const std::string& target, const json::object& body) const {
  net::HttpCall call = CallOf("POST", target);
  call.fields.Add("Content-Type", "application/json");
  call.fields.Add("Accept", "text/event-stream");
  call.body = json::serialize(body);
  return Stream(call);
}

Result<std::shared_ptr<net::WebSocket>> ApiClient::OpenSocket(const std::string& target) const {
  auto answer = net::OpenWebSocket(place_.peer, CallOf("GET", target), {});
  if (!answer) return Unreached(answer.error());
  if (!answer->socket) return Refused(answer->refusal);
  return std::move(answer->socket);
}

}  // namespace cordon::remote
