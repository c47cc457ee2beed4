#include "provision/docker_api.h"

#include <utility>

#include "base/try.h"

namespace cordon::provision {
namespace {

namespace json = boost::json;

constexpr std::string_view kVersion = "/v1.41";  // Docker 20.10, Podman 4
constexpr std::size_t kLongestComplaint = 500;

Error Said(std::uint16_t status, std::string_view what, const std::string& body) {
  Error error;
  error.op = "engine";
  error.code = status == 404   ? ErrorCode::kNotFound
               : status == 409 ? ErrorCode::kAlreadyExists
                               : ErrorCode::kIoError;
  error.detail = "The engine answers ";
  error.detail += std::to_string(status);
  error.detail += " to ";
  error.detail += what;
  boost::system::error_code failed;
  const json::value parsed = json::parse(body, failed);
  if (!failed && parsed.is_object()) {
    error.detail += ": ";
    error.detail += TextAt(parsed.get_object(), "message").substr(0, kLongestComplaint);
  }
  return error;
}

Error Unreadable(std::string_view what) {
  Error error;
  error.op = "engine";
  error.detail = "The engine's answer is not what it should be: ";
  error.detail += what;
  return error;
}

std::string Container(const std::string& name, std::string_view rest) {
  std::string target = "/containers/";
  target += name;
  target += rest;
  return target;
}

// As a part of a query.
std::string Filters(const json::object& filters) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string text = "filters=";
  for (const char c : json::serialize(filters)) {
    const auto byte = static_cast<unsigned char>(c);
    if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')) {
      text += c;
    } else {
      text.append("%").append(1, kHex[byte >> 4]).append(1, kHex[byte & 15]);
    }
  }
  return text;
}

template <typename Wanted>
Result<Wanted> As(json::value value, std::string_view what);
template <>
Result<json::object> As(json::value value, std::string_view what) {
  if (!value.is_object()) return Unreadable(what);
  return std::move(value.get_object());
}
template <>
Result<json::array> As(json::value value, std::string_view what) {
  if (!value.is_array()) return Unreadable(what);
  return std::move(value.get_array());
}

json::array Texts(const std::vector<std::string>& texts) {
  return json::array(texts.begin(), texts.end());
}

}  // namespace

std::string TextAt(const json::object& object, std::string_view key) {
  const json::value* const found = object.if_contains(key);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
}

std::int64_t NumberAt(const json::object& object, std::string_view key) {
  const json::value* const found = object.if_contains(key);
  if (found == nullptr || !found->is_number()) return 0;
  boost::system::error_code failed;
  const auto number = found->to_number<std::int64_t>(failed);
  return failed ? 0 : number;
}

bool IsTrueAt(const json::object& object, std::string_view key) {
  const json::value* const found = object.if_contains(key);
  return found != nullptr && found->is_bool() && found->get_bool();
}

const json::object& ObjectAt(const json::object& object, std::string_view key) {
  static const json::object kNone;
  const json::value* const found = object.if_contains(key);
  return found != nullptr && found->is_object() ? found->get_object() : kNone;
}

const json::array& ArrayAt(const json::object& object, std::string_view key) {
  static const json::array kNone;
  const json::value* const found = object.if_contains(key);
  return found != nullptr && found->is_array() ? found->get_array() : kNone;
}

DockerApi::DockerApi(std::string socket) : client_(net::HttpPeer{std::move(socket)}) {}

Result<json::value> DockerApi::Call(std::string_view method, std::string_view target,
                                    const json::value& body) const {
  net::HttpCall call;
  call.method = method;
  call.target = kVersion;
  call.target += target;
  if (!body.is_null()) {
    call.fields.Add("Content-Type", "application/json");
    call.body = json::serialize(body);
  }
  TRY_ASSIGN(const net::HttpResponse answer, client_.Send(call));
  if (answer.status >= 300) return Said(answer.status, target, answer.body);
  if (answer.body.empty()) return json::value();
  boost::system::error_code failed;
  json::value parsed = json::parse(answer.body, failed);
  if (failed) return Unreadable(target);
  return parsed;
}

Status DockerApi::Post(std::string_view target) const {
  TRY(Call("POST", target));
  return {};
}

Result<DockerApi::Engine> DockerApi::Describe() const {
  TRY_ASSIGN(json::value told, Call("GET", "/info"));
  TRY_ASSIGN(const json::object info, As<json::object>(std::move(told), "/info"));
  Engine engine;
  engine.version = TextAt(info, "ServerVersion");
  for (const auto& runtime : ObjectAt(info, "Runtimes"))
    engine.runtimes.emplace_back(runtime.key());
  for (const json::value& option : ArrayAt(info, "SecurityOptions")) {
    if (option.is_string()) engine.security.emplace_back(option.get_string());
  }
  return engine;
}

Result<std::string> DockerApi::Create(const std::string& name, const json::object& terms) const {
  std::string target = "/containers/create?name=";
  target += name;
  TRY_ASSIGN(json::value told, Call("POST", std::move(target), terms));
  TRY_ASSIGN(const json::object made, As<json::object>(std::move(told), "create"));
  std::string id = TextAt(made, "Id");
  if (id.empty()) return Unreadable("create");
  return id;
}

Status DockerApi::Start(const std::string& container) const {
  return Post(Container(container, "/start"));
}
Status DockerApi::Pause(const std::string& container) const {
  return Post(Container(container, "/pause"));
}
Status DockerApi::Kill(const std::string& container) const {
  return Post(Container(container, "/kill"));
}
Status DockerApi::Unpause(const std::string& container) const {
  return Post(Container(container, "/unpause"));
}

Status DockerApi::Remove(const std::string& container) const {
  const Result<json::value> done = Call("DELETE", Container(container, "?force=1&v=1"));
  if (!done && done.error().code != ErrorCode::kNotFound) return done.error();
  return {};
}

Result<json::object> DockerApi::Inspect(const std::string& container) const {
  TRY_ASSIGN(json::value told, Call("GET", Container(container, "/json")));
  return As<json::object>(std::move(told), "inspect");
}

Result<json::object> DockerApi::Stats(const std::string& container) const {
  TRY_ASSIGN(json::value told, Call("GET", Container(container, "/stats?stream=0&one-shot=1")));
  return As<json::object>(std::move(told), "stats");
}

Result<json::array> DockerApi::List(const std::string& label) const {
  std::string target = "/containers/json?all=1&";
  target += Filters({{"label", json::array{label}}});
  TRY_ASSIGN(json::value told, Call("GET", std::move(target)));
  return As<json::array>(std::move(told), "list");
}

Result<std::unique_ptr<net::HttpIncoming>> DockerApi::Events(const std::string& label) const {
  net::HttpCall call;
  call.target = kVersion;
  call.target += "/events?";
  call.target += Filters({{"label", json::array{label}},
                          {"type", json::array{"container"}},
                          {"event", json::array{"die", "oom"}}});
  TRY_ASSIGN(std::unique_ptr<net::HttpIncoming> events, client_.Open(call));
  if (events->head().status >= 300) return Said(events->head().status, "events", "");
  return events;
}

Result<DockerApi::Started> DockerApi::Exec(const std::string& container,
                                           const Command& command) const {
  const json::object terms = {{"AttachStdin", true},
                              {"AttachStdout", true},
                              {"AttachStderr", true},
                              {"Tty", false},
                              {"Privileged", false},
                              {"WorkingDir", "/"},
                              {"User", command.user},
                              {"Env", Texts(command.environment)},
                              {"Cmd", Texts(command.arguments)}};
  TRY_ASSIGN(json::value told, Call("POST", Container(container, "/exec"), terms));
  TRY_ASSIGN(const json::object made, As<json::object>(std::move(told), "exec"));
  Started started;
  started.exec = TextAt(made, "Id");
  net::HttpCall call;
  call.method = "POST";
  call.target = kVersion;
  call.target += "/exec/";
  call.target += started.exec;
  call.target += "/start";
  call.fields.Add("Content-Type", "application/json");
  call.body = R"({"Detach":false,"Tty":false})";
  TRY_ASSIGN(started.streams, client_.Hijack(call, "tcp"));
  if (!started.streams.stream.valid()) {
    return Said(started.streams.head.status, "exec", started.streams.head.body);
  }
  return started;
}

Result<int> DockerApi::ExecStatus(const std::string& exec) const {
  std::string target = "/exec/";
  target += exec;
  target += "/json";
  TRY_ASSIGN(json::value told, Call("GET", std::move(target)));
  TRY_ASSIGN(const json::object ended, As<json::object>(std::move(told), "exec"));
  if (IsTrueAt(ended, "Running")) {
    Error error = Unreadable("it still runs");
    error.code = ErrorCode::kTimeout;
    return error;
  }
  return static_cast<int>(NumberAt(ended, "ExitCode"));
}

}  // namespace cordon::provision
