#include "mcp/listening.h"

#include <boost/json/array.hpp>
#include <utility>

#include "mcp/task_text.h"

namespace cordon::mcp {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostNames = 64;  // in one list
constexpr std::string_view kSubscription = "io.modelcontextprotocol/subscriptionId";

bool Wants(const json::object& wanted, std::string_view what) {
  const json::value* const value = wanted.if_contains(what);
  return value != nullptr && value->is_bool() && value->get_bool();
}

bool Declares(const Description& description, std::string_view capability,
              std::string_view feature) {
  const json::value* const value = description.capabilities.if_contains(capability);
  return value != nullptr && value->is_object() && Wants(value->get_object(), feature);
}

json::array AsJson(const std::set<std::string>& names) {
  json::array array;
  for (const std::string& name : names) array.emplace_back(name);
  return array;
}

json::object AsJson(const Interests& interests) {
  json::object object;
  if (interests.tools) object["toolsListChanged"] = true;
  if (interests.prompts) object["promptsListChanged"] = true;
  if (interests.resources) object["resourcesListChanged"] = true;
  if (!interests.uris.empty()) object["resourceSubscriptions"] = AsJson(interests.uris);
  if (!interests.tasks.empty()) object["taskIds"] = AsJson(interests.tasks);
  return object;
}

// The texts in a list; what is no text is left out. Errors: kInvalidParams.
Answered<std::set<std::string>> NamesIn(const json::object& wanted, std::string_view list) {
  std::set<std::string> names;
  const json::value* const value = wanted.if_contains(list);
  if (value == nullptr) return names;
  if (!value->is_array() || value->get_array().size() > kMostNames) {
    std::string message = "\"";
    message.append(list).append("\" must be an array of at most 64");
    return tl::make_unexpected(InvalidParams(std::move(message)));
  }
  for (const json::value& name : value->get_array()) {
    if (name.is_string()) names.emplace(name.get_string());
  }
  return names;
}

}  // namespace

Listening::Listening(Id id, std::shared_ptr<ReplyStream> stream, Tasks& tasks, Principal principal)
    : id_(std::move(id)),
      stream_(std::move(stream)),
      tasks_(tasks),
      principal_(std::move(principal)) {}

std::optional<RpcError> Listening::Watch(const Sources& sources, Exchange& exchange,
                                         const json::object& wanted) {
  const Description& description = sources.service.Describe();
  interests_.tools =
      Wants(wanted, "toolsListChanged") && Declares(description, "tools", "listChanged");
  interests_.prompts =
      Wants(wanted, "promptsListChanged") && Declares(description, "prompts", "listChanged");
  interests_.resources =
      Wants(wanted, "resourcesListChanged") && Declares(description, "resources", "listChanged");
  if (wanted.contains("taskIds") && OffersTasks(description)) {
    if (!TakesTasks(exchange.client())) return NeedsTasks();
    const auto ids = NamesIn(wanted, "taskIds");
    if (!ids) return ids.error();
    for (const std::string& id : *ids) {
      if (tasks_.Find(Tasks::OwnerOf(principal_), principal_, id)) interests_.tasks.insert(id);
    }
  }
  if (!Declares(description, "resources", "subscribe")) return std::nullopt;
  const auto uris = NamesIn(wanted, "resourceSubscriptions");
  if (!uris) return uris.error();
  for (const std::string& uri : *uris) {
    Answered<Service::Lease> lease = sources.service.Subscribe(exchange, uri);
    if (!lease) continue;
    leases_.push_back(std::move(*lease));
    interests_.uris.insert(uri);
  }
  return std::nullopt;
}

Answered<std::shared_ptr<Listening>> Listening::Begin(const Sources& sources, Exchange& exchange,
                                                      const Request& request,
                                                      std::shared_ptr<ReplyStream> stream) {
  const json::value* const value = request.params.if_contains("notifications");
  if (value == nullptr || !value->is_object()) {
    return tl::make_unexpected(InvalidParams("\"notifications\" must be given, as an object"));
  }
  const std::shared_ptr<Listening> begun(
      new Listening(request.id, std::move(stream), sources.tasks, exchange.client().principal));
  if (auto wrong = begun->Watch(sources, exchange, value->get_object())) {
    begun->Abandon();
    return tl::make_unexpected(*std::move(wrong));
  }
  // Nothing is missed from the acknowledgement on, and nothing is told before it.
  const std::lock_guard lock(begun->order_);
  const std::weak_ptr<Listening> weak = begun;
  begun->handle_ = sources.hub.Listen([weak](const Change& change) {
    if (const std::shared_ptr<Listening> listening = weak.lock()) listening->Tell(change);
  });
  begun->Send("notifications/subscriptions/acknowledged",
              {{"notifications", AsJson(begun->interests_)}});
  return begun;
}

Listening::~Listening() { End(); }

void Listening::End() {
  handle_.reset();
  if (ended_.exchange(true)) return;
  json::object meta;
  meta[kSubscription] = id_.AsJson();
  stream_->Finish(ResultText(id_, {{"resultType", "complete"}, {"_meta", std::move(meta)}}),
                  std::nullopt);
}

void Listening::Abandon() {
  handle_.reset();
  ended_ = true;
}

void Listening::Send(std::string_view method, json::object params) {
  json::object meta;
  meta[kSubscription] = id_.AsJson();
  params["_meta"] = std::move(meta);
  stream_->Send(NotificationText(method, params));
}

void Listening::Tell(const Change& change) {
  const std::lock_guard lock(order_);
  switch (change.kind) {
    case Change::Kind::kTools:
      if (interests_.tools) Send("notifications/tools/list_changed", {});
      break;
    case Change::Kind::kPrompts:
      if (interests_.prompts) Send("notifications/prompts/list_changed", {});
      break;
    case Change::Kind::kResources:
      if (interests_.resources) Send("notifications/resources/list_changed", {});
      break;
    case Change::Kind::kResource:
      if (interests_.uris.contains(change.uri)) {
        Send("notifications/resources/updated", {{"uri", change.uri}});
      }
      break;
    case Change::Kind::kTask:
      if (interests_.tasks.contains(change.uri)) TellTask(change.uri);
      break;
  }
}

void Listening::TellTask(const std::string& id) {
  const auto task = tasks_.Find(Tasks::OwnerOf(principal_), principal_, id);
  if (task) Send("notifications/tasks", DetailedTaskObject(*task, task->Look()));
}

}  // namespace cordon::mcp
