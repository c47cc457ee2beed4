#include "mcp/listening.h"

#include <boost/json/array.hpp>
#include <utility>

namespace cordon::mcp {
namespace {

namespace json = boost::json;

constexpr std::size_t kMaxUris = 64;
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

json::object AsJson(const Interests& interests) {
  json::object object;
  if (interests.tools) object["toolsListChanged"] = true;
  if (interests.prompts) object["promptsListChanged"] = true;
  if (interests.resources) object["resourcesListChanged"] = true;
  if (interests.uris.empty()) return object;
  json::array uris;
  for (const std::string& uri : interests.uris) uris.emplace_back(uri);
  object["resourceSubscriptions"] = std::move(uris);
  return object;
}

}  // namespace

Listening::Listening(Id id, std::shared_ptr<ReplyStream> stream)
    : id_(std::move(id)), stream_(std::move(stream)) {}

Answered<std::shared_ptr<Listening>> Listening::Begin(Service& service, Hub& hub,
                                                      Exchange& exchange, const Request& request,
                                                      std::shared_ptr<ReplyStream> stream) {
  const json::value* const value = request.params.if_contains("notifications");
  if (value == nullptr || !value->is_object()) {
    return tl::make_unexpected(InvalidParams("\"notifications\" must be given, as an object"));
  }
  const json::object& wanted = value->get_object();
  const Description& description = service.Describe();
  const std::shared_ptr<Listening> begun(new Listening(request.id, std::move(stream)));
  begun->interests_.tools =
      Wants(wanted, "toolsListChanged") && Declares(description, "tools", "listChanged");
  begun->interests_.prompts =
      Wants(wanted, "promptsListChanged") && Declares(description, "prompts", "listChanged");
  begun->interests_.resources =
      Wants(wanted, "resourcesListChanged") && Declares(description, "resources", "listChanged");
  if (const json::value* const uris = wanted.if_contains("resourceSubscriptions");
      uris != nullptr && Declares(description, "resources", "subscribe")) {
    if (!uris->is_array() || uris->get_array().size() > kMaxUris) {
      begun->Abandon();
      return tl::make_unexpected(
          InvalidParams("\"resourceSubscriptions\" must be an array of at most 64"));
    }
    for (const json::value& uri : uris->get_array()) {
      if (!uri.is_string()) continue;
      Answered<Service::Lease> lease = service.Subscribe(exchange, uri.get_string());
      if (!lease) continue;
      begun->leases_.push_back(std::move(*lease));
      begun->interests_.uris.emplace(uri.get_string());
    }
  }
  // Nothing is missed from the acknowledgement on, and nothing is told before it.
  const std::lock_guard lock(begun->order_);
  const std::weak_ptr<Listening> weak = begun;
  begun->handle_ = hub.Listen([weak](const Change& change) {
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
  }
}

}  // namespace cordon::mcp
