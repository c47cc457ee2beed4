#include "mcp/session.h"

#include <exception>
#include <utility>

#include "mcp/dispatch.h"
#include "mcp/fit_revision.h"
#include "mcp/session_exchange.h"
#include "mcp/session_state.h"
#include "mcp/spare_text.h"

namespace cordon::mcp {
namespace {

namespace json = boost::json;
using Reply = Answered<json::object>;

// `condition` may be null.
void Send(ReplyStream& stream, const Id& id, std::string&& text,
          std::shared_ptr<Precondition> condition) {
  if (!condition) return stream.Finish(std::move(text), std::nullopt);
  stream.FinishAfter(std::move(text),
                     [id, condition = std::move(condition)]() -> std::optional<std::string> {
                       const auto instead = condition->Fulfil();
                       return instead ? std::optional(ResultText(id, *instead)) : std::nullopt;
                     });
}

void Finish(ReplyStream& stream, const Id& id, Reply reply) {
  if (!reply) return stream.Finish(ErrorText(id, reply.error()), reply.error().code);
  stream.Finish(ResultText(id, *reply), std::nullopt);
}

// What the reply was made of is dropped before it is sent, because a client may take its time.
void Finish(ReplyStream& stream, const Id& id, Reply reply, SessionExchange& exchange) {
  if (!reply) return Finish(stream, id, std::move(reply));
  SpareText text;
  AppendResult(text.get(), id, *reply);
  reply->clear();
  exchange.DropAnswer();
  Send(stream, id, std::move(text.get()), exchange.TakeCondition());
}

Job Immediately(Id id, Reply reply, std::shared_ptr<ReplyStream> stream) {
  auto finish = [id = std::move(id), reply = std::move(reply), stream = std::move(stream)] {
    Finish(*stream, id, reply);
  };
  return {finish, finish, {}};
}

RpcError TooEarly() { return {RpcCode::kInvalidRequest, "\"initialize\" comes first"}; }

bool IsKnown(const Description& description, std::string_view method) {
  return Offers(description, method) || method == "logging/setLevel" ||
         method == "resources/subscribe" || method == "resources/unsubscribe";
}

Reply Answer(SessionState& state, Exchange& exchange, const Request& request) {
  try {
    return state.Answer(exchange, request.method, request.params);
  } catch (const std::exception&) {
    return tl::make_unexpected(RpcError{RpcCode::kInternalError, "the server failed at this"});
  }
}

// One request of a client, from when it is accepted until it is answered.
struct Accepted {
  std::shared_ptr<SessionState> state;
  Request request;
  std::stop_token stop;
  std::shared_ptr<ReplyStream> stream;
  std::optional<Principal> who;

  void Run() const;
  void Refuse() const;
};

void Accepted::Run() const {
  SessionExchange exchange(state, request.params, stop, stream, who);
  Reply reply = Answer(*state, exchange, request);
  state->running.End(request.id);
  if (stop.stop_requested()) return stream->Abandon();
  if (reply) {
    if (request.method == "tools/list") state->tasks.Mark(*reply, state->client.revision);
    FitResult(*reply, request.method, state->client.revision);
  } else {
    FitError(reply.error(), state->client.revision);
  }
  Finish(*stream, request.id, std::move(reply), exchange);
}

void Accepted::Refuse() const {
  state->running.End(request.id);
  Finish(*stream, request.id, tl::make_unexpected(TooBusy()));
}

}  // namespace

Session::Session(Service& service, Hub& hub, Principal principal,
                 std::shared_ptr<MessageSink> unasked, std::shared_ptr<WaitingRoom> room,
                 std::shared_ptr<Tasks> tasks)
    : state_(std::make_shared<SessionState>(
          service, std::move(principal), std::move(unasked), std::move(room),
          tasks ? std::move(tasks) : std::make_shared<Tasks>(service, hub))) {
  const std::weak_ptr<SessionState> weak = state_;
  state_->listening = hub.Listen([weak](const Change& change) {
    if (const std::shared_ptr<SessionState> state = weak.lock()) state->Tell(change);
  });
}

Session::~Session() { Close(); }

void Session::EndInput() { state_->asks.Close(); }

void Session::Close() {
  Hub::Handle listening;  // dropped outside the lock, which a listener may wait for
  {
    const std::lock_guard lock(state_->mutex);
    listening.swap(state_->listening);
  }
  listening.reset();
  state_->asks.Close();
  state_->running.CancelAll();
  state_->tasks.End();
}

Job Session::Accept(Request request, std::shared_ptr<ReplyStream> stream,
                    std::optional<Principal> who) {
  if (request.method == "initialize") {
    return Immediately(std::move(request.id), state_->Initialize(request.params),
                       std::move(stream));
  }
  if (request.method == "ping") {
    return Immediately(std::move(request.id), json::object(), std::move(stream));
  }
  if (!initialized()) {
    RpcError error = IsKnown(state_->service.Describe(), request.method)
                         ? TooEarly()
                         : MethodNotFound(request.method);
    return Immediately(std::move(request.id), tl::make_unexpected(std::move(error)),
                       std::move(stream));
  }
  const std::optional<std::stop_source> stop = state_->running.Begin(request.id);
  if (!stop) {
    return Immediately(std::move(request.id),
                       tl::make_unexpected(RpcError{RpcCode::kInvalidRequest,
                                                    "a request of this id is being answered"}),
                       std::move(stream));
  }
  const auto accepted = std::make_shared<const Accepted>(
      Accepted{state_, std::move(request), stop->get_token(), std::move(stream), std::move(who)});
  return {[accepted] { accepted->Run(); }, [accepted] { accepted->Refuse(); }, *stop};
}

void Session::Accept(const Notification& notification) {
  if (const std::optional<Id> id = CancelledId(notification)) state_->running.Cancel(*id);
  // Asked for when the next request runs: that one has a way to the client in any case.
  if (notification.method == "notifications/roots/list_changed") state_->roots_changed = true;
}

void Session::Accept(Response response) { state_->asks.Answered(std::move(response)); }

bool Session::initialized() const {
  const std::lock_guard lock(state_->mutex);
  return state_->initialized;
}

Revision Session::revision() const {
  const std::lock_guard lock(state_->mutex);
  return state_->client.revision;
}

const Principal& Session::principal() const { return state_->client.principal; }

}  // namespace cordon::mcp
