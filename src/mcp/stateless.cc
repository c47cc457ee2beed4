#include "mcp/stateless.h"

#include <boost/json/array.hpp>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mcp/dispatch.h"
#include "mcp/fit_revision.h"
#include "mcp/listening.h"
#include "mcp/request_notices.h"
#include "mcp/state_seal.h"
#include "mcp/stateless_exchange.h"
#include "mcp/stateless_request.h"
#include "mcp/stateless_tasks.h"

namespace cordon::mcp {
namespace {

namespace json = boost::json;
using Reply = Answered<json::object>;

constexpr std::size_t kMaxListening = 256;

bool IsCacheable(std::string_view method) {
  return method.ends_with("/list") || method == "resources/read" || method == "server/discover";
}

void AddCaching(json::object& result, const Caching& caching) {
  result["ttlMs"] = caching.ttl_ms;
  result["cacheScope"] = caching.scope == Caching::Scope::kPublic ? "public" : "private";
}

// What every complete result has.
void Complete(json::object& result, std::string_view method, const Description& description) {
  if (!result.contains("resultType")) result["resultType"] = "complete";
  // What a file holds may be another thing the next moment.
  if (IsCacheable(method)) {
    AddCaching(result, method == "resources/read" ? Caching{} : description.caching);
  }
  json::object info{{"name", description.name}, {"version", description.version}};
  if (!description.title.empty()) info["title"] = description.title;
  json::value& meta = result["_meta"];
  if (!meta.is_object()) meta.emplace_object();
  meta.get_object()["io.modelcontextprotocol/serverInfo"] = std::move(info);
}

json::object Discovered(const Description& description) {
  json::array versions;
  for (const Revision revision : RevisionsOf(Era::kStateless)) {
    versions.emplace_back(RevisionName(revision));
  }
  json::object result{{"supportedVersions", std::move(versions)},
                      {"capabilities", FitCapabilities(description.capabilities, kNewest)}};
  if (!description.instructions.empty()) result["instructions"] = description.instructions;
  return result;
}

using Held = std::vector<std::shared_ptr<void>>;

// `held`: dropped when the text is made, as the reply is.
void Finish(ReplyStream& stream, const Id& id, Reply reply, Held held = {}) {
  if (!reply) return stream.Finish(ErrorText(id, reply.error()), reply.error().code);
  std::string text = ResultText(id, *reply);
  reply->clear();
  held.clear();
  stream.Finish(std::move(text), std::nullopt);
}

// A stream of changes, and what ends it.
struct Open {
  std::shared_ptr<Listening> listening;
  std::shared_ptr<ReplyStream> stream;
  std::unique_ptr<std::stop_callback<std::function<void()>>> ending;
};

}  // namespace

struct Stateless::State {
  State(Service& what, Hub& where, std::shared_ptr<Tasks> which)
      : service(what), hub(where), tasks(what, std::move(which)) {}

  void Run(const std::shared_ptr<State>& self, const Request& request, Principal principal,
           const std::stop_token& stop, const std::shared_ptr<ReplyStream>& stream);
  // `held`: what the exchange does.
  Reply Answer(const Request& request, const Client& client, const std::stop_token& stop,
               const std::shared_ptr<ReplyStream>& stream, Held& held);
  // What came back sealed; nothing when nothing did.
  Answered<std::optional<json::object>> Carried(const Request& request, const Client& client);
  json::object InputRequired(const Request& request, const Client& client,
                             const json::object& pending, const json::object& carry);
  std::optional<RpcError> Listen(const std::shared_ptr<State>& self, const Request& request,
                                 const Client& client, const std::stop_token& stop,
                                 const std::shared_ptr<ReplyStream>& stream);
  void EndListening(std::uint64_t number);

  Service& service;
  Hub& hub;
  StateSeal seal;
  StatelessTasks tasks;
  std::mutex mutex;
  std::uint64_t last = 0;
  std::map<std::uint64_t, Open> open;
  bool closed = false;  // nobody listens any more
};

Answered<std::optional<json::object>> Stateless::State::Carried(const Request& request,
                                                                const Client& client) {
  const json::value* const sealed = request.params.if_contains("requestState");
  if (sealed == nullptr || !MayAsk(request.method)) return std::optional<json::object>();
  if (!sealed->is_string()) {
    return tl::make_unexpected(InvalidParams("\"requestState\" must be a string"));
  }
  Result<json::object> carried =
      seal.Open(BindingOf(request, client.principal), sealed->get_string());
  if (!carried) return tl::make_unexpected(InvalidParams(carried.error().detail));
  return std::optional(std::move(*carried));
}

json::object Stateless::State::InputRequired(const Request& request, const Client& client,
                                             const json::object& pending,
                                             const json::object& carry) {
  json::object result{{"resultType", "input_required"}, {"inputRequests", pending}};
  result["requestState"] = seal.Seal(BindingOf(request, client.principal), carry);
  return result;
}

Reply Stateless::State::Answer(const Request& request, const Client& client,
                               const std::stop_token& stop,
                               const std::shared_ptr<ReplyStream>& stream, Held& held) {
  const Description& description = service.Describe();
  if (request.method == "server/discover") {
    json::object result = Discovered(description);
    Complete(result, request.method, description);
    return result;
  }
  Answered<std::optional<json::object>> carried = Carried(request, client);
  if (!carried) return tl::make_unexpected(std::move(carried.error()));
  Reply reply;
  if (auto taken = tasks.Take({request, client, *carried, stop})) {
    if (!taken->pending.empty()) {
      return InputRequired(request, client, taken->pending, taken->carry);
    }
    reply = std::move(taken->reply);
  } else if (!Offers(description, request.method)) {
    return tl::make_unexpected(MethodNotFound(request.method));
  } else {
    StatelessExchange exchange(client, request.params, std::move(*carried), stop, stream);
    reply = Dispatch(service, exchange, request.method, request.params);
    held = exchange.TakeHeld();
    if (!exchange.pending().empty() && MayAsk(request.method)) {
      return InputRequired(request, client, exchange.pending(), exchange.carry());
    }
  }
  if (reply) {
    Complete(*reply, request.method, description);
  } else {
    FitError(reply.error(), client.revision);
  }
  return reply;
}

void Stateless::State::EndListening(std::uint64_t number) {
  Open ended;
  {
    const std::lock_guard lock(mutex);
    const auto found = open.find(number);
    if (found == open.end()) return;
    ended = std::move(found->second);
    open.erase(found);
  }
  ended.listening->Abandon();
  ended.stream->Abandon();
}

std::optional<RpcError> Stateless::State::Listen(const std::shared_ptr<State>& self,
                                                 const Request& request, const Client& client,
                                                 const std::stop_token& stop,
                                                 const std::shared_ptr<ReplyStream>& stream) {
  {
    const std::lock_guard lock(mutex);
    if (closed || open.size() >= kMaxListening) {
      return RpcError{RpcCode::kInternalError, "too many subscriptions are open"};
    }
  }
  StatelessExchange exchange(client, request.params, std::nullopt, stop, stream);
  Answered<std::shared_ptr<Listening>> begun =
      Listening::Begin({service, hub, tasks.tasks()}, exchange, request, stream);
  if (!begun) return std::move(begun.error());
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(mutex);
    if (closed) return RpcError{RpcCode::kInternalError, "the server ends"};
    number = ++last;
    open.emplace(number, Open{std::move(*begun), stream, nullptr});
  }
  const std::weak_ptr<State> weak = self;
  auto ending = std::make_unique<std::stop_callback<std::function<void()>>>(stop, [weak, number] {
    if (const std::shared_ptr<State> state = weak.lock()) state->EndListening(number);
  });
  const std::lock_guard lock(mutex);
  // It may have ended at once.
  if (const auto found = open.find(number); found != open.end()) {
    found->second.ending = std::move(ending);
  }
  return std::nullopt;
}

void Stateless::State::Run(const std::shared_ptr<State>& self, const Request& request,
                           Principal principal, const std::stop_token& stop,
                           const std::shared_ptr<ReplyStream>& stream) {
  Reply reply;
  Held held;
  try {
    const Answered<Client> client = ReadClient(request.params, std::move(principal));
    if (!client) {
      reply = tl::make_unexpected(client.error());
    } else if (request.method == "subscriptions/listen") {
      std::optional<RpcError> failure = Listen(self, request, *client, stop, stream);
      if (!failure) return;
      reply = tl::make_unexpected(std::move(*failure));
    } else {
      reply = Answer(request, *client, stop, stream, held);
    }
  } catch (const std::exception&) {
    reply = tl::make_unexpected(RpcError{RpcCode::kInternalError, "the server failed at this"});
  }
  if (stop.stop_requested()) return stream->Abandon();
  Finish(*stream, request.id, std::move(reply), std::move(held));
}

bool IsStateless(const Request& request) {
  const json::object* const meta = MetaOf(request.params);
  return meta != nullptr && meta->contains("io.modelcontextprotocol/protocolVersion");
}

Stateless::Stateless(Service& service, Hub& hub, std::shared_ptr<Tasks> tasks)
    : state_(std::make_shared<State>(
          service, hub, tasks ? std::move(tasks) : std::make_shared<Tasks>(service, hub))) {}

Stateless::~Stateless() { EndListening(); }

void Stateless::EndListening() {
  std::map<std::uint64_t, Open> ended;
  {
    const std::lock_guard lock(state_->mutex);
    state_->closed = true;
    ended.swap(state_->open);
  }
  for (const auto& [number, open] : ended) open.listening->End();
}

Job Stateless::Accept(Request request, Principal principal,
                      const std::shared_ptr<ReplyStream>& stream, const std::stop_source& stop) {
  const auto shared = std::make_shared<const Request>(std::move(request));
  return {[state = state_, shared, principal = std::move(principal), token = stop.get_token(),
           stream] { state->Run(state, *shared, principal, token, stream); },
          [shared, stream] { Finish(*stream, shared->id, tl::make_unexpected(TooBusy())); }, stop};
}

}  // namespace cordon::mcp
