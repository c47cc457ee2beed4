#include "mcp/http_stateless.h"

#include <atomic>
#include <mutex>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>

#include "mcp/event_text.h"
#include "mcp/http_answer.h"
#include "mcp/http_headers.h"
#include "mcp/request_notices.h"
#include "mcp/stateless_request.h"

namespace cordon::mcp {
namespace {

namespace json = boost::json;

constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";

// The client is gone when its connection is, and that cancels.
class StatelessReply final : public HttpStream {
 public:
  // kNever: for those who tell changes, and must not wait for one that does not listen.
  enum class Waiting { kMay, kNever };

  StatelessReply(std::shared_ptr<net::HttpReply> reply, const HttpGate& gate, Waiting waiting,
                 std::stop_source stop)
      : gate_(gate), waiting_(waiting), stop_(std::move(stop)), reply_(std::move(reply)) {}

  void Send(std::string message) override {
    const std::lock_guard lock(mutex_);
    if (!reply_) return;
    Begin();
    Write(EventText(message));
  }

  void Finish(std::string&& response, std::optional<RpcCode> failure) override {
    const std::lock_guard lock(mutex_);
    if (!reply_) return;
    if (begun_) {
      Write(EventText(response));
      if (reply_) reply_->End();
    } else {
      const std::uint16_t status = busy_ ? 503 : StatusOf(failure, Era::kStateless);
      net::HttpResponse answer = JsonAnswer(status, std::move(response));
      if (status == 403) {
        answer.fields.Add("WWW-Authenticate", gate_.ScopeChallenge(ScopesIn(answer.body)));
      }
      reply_->Send(std::move(answer));
    }
    reply_.reset();
  }

  void Abandon() override {
    const std::lock_guard lock(mutex_);
    if (reply_ && begun_) reply_->End();
    reply_.reset();
  }

  void Pulse() override {
    if (overflown_) stop_.request_stop();  // not where it was noticed: locks are held there
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock || !reply_) return;  // somebody is speaking
    // The first may come at once; by the second one something takes long.
    if (!std::exchange(pulsed_, true) && !begun_) return;
    Begin();
    static_cast<void>(reply_->TryWrite(std::string(kStillHere)));
  }

  void Busy() override { busy_ = true; }

 private:
  void Begin() {
    if (!std::exchange(begun_, true)) reply_->Begin(StreamHead());
  }
  void Write(std::string text) {
    if (waiting_ == Waiting::kMay) {
      static_cast<void>(reply_->Write(std::move(text)));
    } else if (!reply_->TryWrite(std::move(text))) {
      overflown_ = true;
      reply_.reset();  // the client must notice that something is missing
    }
  }

  const HttpGate& gate_;
  const Waiting waiting_;
  std::stop_source stop_;
  std::mutex mutex_;
  std::shared_ptr<net::HttpReply> reply_;
  bool begun_ = false;
  bool pulsed_ = false;
  std::atomic<bool> busy_ = false;
  std::atomic<bool> overflown_ = false;
};

bool Names(const net::HttpFields& fields, Era era) {
  const auto header = fields.Find("MCP-Protocol-Version");
  const auto revision = header ? ParseRevision(*header) : std::nullopt;
  return revision && EraOf(*revision) == era;
}

}  // namespace

HttpStateless::HttpStateless(Service& service, Hub& hub, std::shared_ptr<Tasks> tasks,
                             const HttpGate& gate, net::WorkerPool& pool, HttpStreams& streams)
    : service_(service),
      gate_(gate),
      pool_(pool),
      streams_(streams),
      stateless_(service, hub, std::move(tasks)) {}

bool HttpStateless::Speaks(const net::HttpFields& fields, const Message& message) {
  if (Names(fields, Era::kStateless)) return true;
  if (const auto* const request = std::get_if<Request>(&message)) return IsStateless(*request);
  if (const auto* const notification = std::get_if<Notification>(&message)) {
    const json::object* const meta = MetaOf(notification->params);
    return meta != nullptr && meta->contains(kVersionKey);
  }
  return false;
}

void HttpStateless::Post(const net::HttpFields& fields, Message message, const Principal& principal,
                         const std::shared_ptr<net::HttpReply>& reply) {
  if (std::holds_alternative<Notification>(message)) return reply->Send({202, {}, {}});
  if (auto* const request = std::get_if<Request>(&message)) {
    return Ask(fields, std::move(*request), principal, reply);
  }
  const auto* const response = std::get_if<Response>(&message);
  reply->Send(ErrorAnswer(400, response != nullptr ? std::optional(response->id) : std::nullopt,
                          {RpcCode::kInvalidRequest, "nothing was asked"}));
}

std::optional<RpcError> HttpStateless::CheckParameters(const net::HttpFields& fields,
                                                       const Request& request) const {
  const json::value* const name = request.params.if_contains("name");
  if (request.method != "tools/call" || name == nullptr || !name->is_string()) return std::nullopt;
  const json::object* const schema = service_.MarkedSchema(std::string_view(name->get_string()));
  if (schema == nullptr) return std::nullopt;
  const json::value* const arguments = request.params.if_contains("arguments");
  const bool given = arguments != nullptr && arguments->is_object();
  return CheckParameterHeaders(fields, *schema, given ? arguments->get_object() : json::object());
}

void HttpStateless::Ask(const net::HttpFields& fields, Request request, const Principal& principal,
                        const std::shared_ptr<net::HttpReply>& reply) {
  const auto refuse = [&](const RpcError& error) {
    reply->Send(ErrorAnswer(400, request.id, error));
  };
  if (const auto wrong = CheckHeaders(fields, request)) return refuse(*wrong);
  if (const auto client = ReadClient(request.params, principal); !client) {
    return refuse(client.error());
  }
  if (const auto wrong = CheckParameters(fields, request)) return refuse(*wrong);
  using Waiting = StatelessReply::Waiting;
  const std::stop_source stop;
  const auto stream = std::make_shared<StatelessReply>(
      reply, gate_, request.method == "subscriptions/listen" ? Waiting::kNever : Waiting::kMay,
      stop);
  const Job job = stateless_.Accept(std::move(request), principal, stream, stop);
  reply->OnGone([stop]() mutable { stop.request_stop(); });
  streams_.Add(stream);
  if (pool_.Submit([run = job.run] { run(); })) return;
  stream->Busy();
  job.refuse();
}

}  // namespace cordon::mcp
