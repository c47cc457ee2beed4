#include "mcp/session_state.h"

#include <chrono>
#include <utility>

#include "mcp/dispatch.h"
#include "mcp/fit_revision.h"
#include "mcp/message.h"

namespace cordon::mcp {
namespace {

namespace json = boost::json;
using Reply = Answered<json::object>;

constexpr std::size_t kMaxSubscriptions = 256;
constexpr std::chrono::seconds kGreeting{30};  // longer than the client may take to answer

tl::unexpected<RpcError> Invalid(std::string message) {
  return tl::make_unexpected(InvalidParams(std::move(message)));
}

std::string TextIn(const json::object& object, std::string_view name) {
  const json::value* const value = object.if_contains(name);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

json::object ServerInfo(const Description& description, Revision revision) {
  json::object info{{"name", description.name}, {"version", description.version}};
  if (revision >= Revision::k2025_06_18 && !description.title.empty()) {
    info["title"] = description.title;
  }
  return info;
}

// Whether `capability` has this feature, e.g. "resources" and "subscribe".
bool Has(const Description& description, std::string_view capability, std::string_view feature) {
  const json::value* const value = description.capabilities.if_contains(capability);
  const json::object* const object = value == nullptr ? nullptr : value->if_object();
  const json::value* const flag = object == nullptr ? nullptr : object->if_contains(feature);
  return flag != nullptr && flag->is_bool() && flag->get_bool();
}

}  // namespace

SessionState::SessionState(Service& what, Principal who, std::shared_ptr<MessageSink> where,
                           std::shared_ptr<WaitingRoom> waiting, std::shared_ptr<Tasks> which)
    : service(what),
      unasked(std::move(where)),
      room(waiting ? std::move(waiting) : std::make_shared<WaitingRoom>(WaitingRoom::kPlaces)),
      tasks(what, std::move(which)) {
  client.principal = std::move(who);
}

Reply SessionState::Initialize(const json::object& params) {
  const json::value* const version = params.if_contains("protocolVersion");
  if (version == nullptr || !version->is_string()) {
    return Invalid("\"protocolVersion\" must be given, as a string");
  }
  const json::value* const capabilities = params.if_contains("capabilities");
  if (capabilities != nullptr && !capabilities->is_object()) {
    return Invalid("\"capabilities\" must be an object");
  }
  const std::lock_guard lock(mutex);
  if (initialized) {
    return tl::make_unexpected(
        RpcError{RpcCode::kInvalidRequest, "this client was initialized already"});
  }
  const std::optional<Revision> asked = ParseRevision(version->get_string());
  Client said;
  said.principal = client.principal;
  said.revision = asked && EraOf(*asked) == Era::kHandshake ? *asked : kNewestHandshake;
  if (capabilities != nullptr) said.capabilities = capabilities->get_object();
  if (const json::value* const info = params.if_contains("clientInfo"); info && info->is_object()) {
    said.name = TextIn(info->get_object(), "name");
    said.version = TextIn(info->get_object(), "version");
  }
  if (said.IsTooTalkative()) return Invalid("the client says too much of itself");
  client = std::move(said);
  initialized = true;
  const Description& description = service.Describe();
  json::object result{{"protocolVersion", RevisionName(client.revision)},
                      {"capabilities", FitCapabilities(description.capabilities, client.revision)},
                      {"serverInfo", ServerInfo(description, client.revision)}};
  if (!description.instructions.empty()) result["instructions"] = description.instructions;
  return result;
}

std::optional<RpcError> SessionState::WaitUntilGreeted(Exchange& exchange,
                                                       std::unique_lock<std::mutex>& lock) {
  const auto place = room->Enter({client.principal.id, this}, exchange.stop());
  if (!place) return TooBusy();
  greeted.wait_for(lock, place->stop(), kGreeting, [this] { return !greets; });
  return greets ? std::optional(TooBusy()) : std::nullopt;
}

std::optional<RpcError> SessionState::Greet(Exchange& exchange) {
  std::unique_lock lock(greeting);
  if (greets) {
    if (auto busy = WaitUntilGreeted(exchange, lock)) return busy;
  }
  // Cleared before it is acted on: a change in between is seen by the next request.
  const bool changed = roots_changed.exchange(false);
  if (joined && !changed) return std::nullopt;
  greets = true;
  const std::shared_ptr<void> ending(nullptr, [&](void*) {  // whatever is thrown
    if (!lock.owns_lock()) lock.lock();
    greets = false;
    greeted.notify_all();
  });
  lock.unlock();
  if (joined) {
    service.RootsChanged(exchange);
    return std::nullopt;
  }
  auto made = service.Join(exchange);
  lock.lock();
  attachment = std::move(made);
  joined = true;
  return std::nullopt;
}

Reply SessionState::SetLevel(const json::object& params) {
  const std::optional<LogLevel> level = ParseLogLevel(TextIn(params, "level"));
  if (!level) return Invalid("\"level\" is none of the levels there are");
  const std::lock_guard lock(mutex);
  threshold = level;
  return json::object();
}

Reply SessionState::Subscribe(Exchange& exchange, const json::object& params) {
  const std::string uri = TextIn(params, "uri");
  if (uri.empty()) return Invalid("\"uri\" must be given, as a string");
  {
    const std::lock_guard lock(mutex);
    if (subscriptions.contains(uri)) return json::object();
    if (subscriptions.size() >= kMaxSubscriptions) return Invalid("too many subscriptions");
  }
  Answered<Service::Lease> lease = service.Subscribe(exchange, uri);
  if (!lease) return tl::make_unexpected(std::move(lease.error()));
  const std::lock_guard lock(mutex);
  subscriptions.emplace(uri, std::move(*lease));
  return json::object();
}

Reply SessionState::Unsubscribe(const json::object& params) {
  Service::Lease ended;  // declared first: dropped after the lock
  const std::lock_guard lock(mutex);
  const auto found = subscriptions.find(TextIn(params, "uri"));
  if (found != subscriptions.end()) {
    ended = std::move(found->second);
    subscriptions.erase(found);
  }
  return json::object();
}

Reply SessionState::Answer(Exchange& exchange, std::string_view method,
                           const json::object& params) {
  const Description& description = service.Describe();
  if (method == "logging/setLevel") {
    if (!description.capabilities.contains("logging")) {
      return tl::make_unexpected(MethodNotFound(method));
    }
    return SetLevel(params);
  }
  const bool subscribing = method == "resources/subscribe" || method == "resources/unsubscribe";
  const bool known = subscribing ? Has(description, "resources", "subscribe")
                                 : Offers(description, method) || method.starts_with("tasks/");
  if (!known) return tl::make_unexpected(MethodNotFound(method));
  if (auto busy = Greet(exchange)) return tl::make_unexpected(*std::move(busy));
  if (auto taken = tasks.Take(exchange, method, params)) return *std::move(taken);
  if (method == "resources/subscribe") return Subscribe(exchange, params);
  if (method == "resources/unsubscribe") return Unsubscribe(params);
  return Dispatch(service, exchange, method, params);
}

void SessionState::Tell(const Change& change) {
  const Description& description = service.Describe();
  std::string_view capability;
  switch (change.kind) {
    case Change::Kind::kTools: capability = "tools"; break;
    case Change::Kind::kPrompts: capability = "prompts"; break;
    case Change::Kind::kResources: capability = "resources"; break;
    case Change::Kind::kResource: break;
    case Change::Kind::kTask: return;  // asked for where wanted
  }
  {
    const std::lock_guard lock(mutex);
    if (!initialized) return;
    if (change.kind == Change::Kind::kResource ? !subscriptions.contains(change.uri)
                                               : !Has(description, capability, "listChanged")) {
      return;
    }
  }
  if (change.kind == Change::Kind::kResource) {
    return unasked->Send(
        NotificationText("notifications/resources/updated", {{"uri", change.uri}}));
  }
  std::string method = "notifications/";
  method.append(capability).append("/list_changed");
  unasked->Send(NotificationText(method, {}));
}

}  // namespace cordon::mcp
