#include "mcp/http_endpoint.h"

#include <any>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/try.h"
#include "mcp/http_answer.h"
#include "mcp/http_gate.h"
#include "mcp/http_handshake.h"
#include "mcp/http_headers.h"
#include "mcp/http_sessions.h"
#include "mcp/http_stateless.h"
#include "mcp/http_stream.h"
#include "mcp/tasks.h"
#include "net/passing_reply.h"
#include "net/worker_pool.h"

namespace cordon::mcp {
namespace {

// What is larger is not read in the I/O thread, where it would hold up others.
constexpr std::size_t kReadAtOnce = std::size_t{64} << 10;
constexpr std::size_t kReplayBytes = std::size_t{1} << 20;

// Adds what a page of another origin needs to read the answer.
class PageReply final : public net::PassingReply {
 public:
  PageReply(std::shared_ptr<net::HttpReply> reply, net::HttpFields fields)
      : PassingReply(std::move(reply)), fields_(std::move(fields)) {}
  void Send(net::HttpResponse response) override {
    PassingReply::Send(Extended(std::move(response)));
  }
  void Begin(const net::HttpResponse& head) override { PassingReply::Begin(Extended(head)); }

 private:
  net::HttpResponse Extended(net::HttpResponse response) const {
    for (const auto& [name, value] : fields_.all()) response.fields.Add(name, value);
    return response;
  }
  const net::HttpFields fields_;
};

bool IsBatch(const net::HttpRequest& request) {
  const std::size_t begin = request.body.find_first_not_of(" \t\r\n");
  return begin != std::string::npos && request.body[begin] == '[';
}

class Endpoint final : public HttpEndpoint {
 public:
  Endpoint(Service& service, Hub& hub, std::shared_ptr<const auth::Access> access,
           HttpOptions options)
      : options_(std::move(options)),
        gate_(options_, std::move(access)),
        tasks_(std::make_shared<Tasks>(service, hub)),
        sessions_(service, hub, tasks_,
                  {options_.sessions,
                   options_.session_idle,
                   {options_.replay, kReplayBytes},
                   options_.work.threads / 2}),
        stateless_(service, hub, tasks_, gate_, pool_, streams_),
        handshake_(sessions_, gate_, pool_, streams_),
        pool_(options_.work),
        pulse_([this] { PulseAll(); }) {}
  ~Endpoint() override;
  Endpoint(const Endpoint&) = delete;
  Endpoint& operator=(const Endpoint&) = delete;

  std::optional<net::HttpResponse> Check(net::HttpRequest& request) const override {
    return gate_.Check(request);
  }
  void Handle(net::HttpRequest request, std::shared_ptr<net::HttpReply> reply) override;
  void EndListening() override;

 private:
  void Post(net::HttpRequest request, const std::shared_ptr<net::HttpReply>& reply);
  void Read(const net::HttpRequest& request, const std::shared_ptr<net::HttpReply>& reply);
  void Pulse();
  void PulseAll();

  const HttpOptions options_;
  const HttpGate gate_;
  HttpStreams streams_;
  const std::shared_ptr<Tasks> tasks_;
  HttpSessions sessions_;
  HttpStateless stateless_;
  HttpHandshake handshake_;
  net::WorkerPool pool_;  // of what requests run in
  std::optional<net::WorkerPool> readers_{std::in_place, net::WorkerPool::Limits{2, 64}};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool closing_ = false;
  std::thread pulse_;
};

void Endpoint::EndListening() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  if (pulse_.joinable()) pulse_.join();
  stateless_.EndListening();
}

// First who listens is told the end; then what stops with its client stops; then what does not; at
// last the pool waits for all that.
Endpoint::~Endpoint() {
  EndListening();
  readers_.reset();
  sessions_.EndAll();
  tasks_->Close();
}

void Endpoint::PulseAll() {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, options_.pulse, [this] { return closing_; })) Pulse();
}

void Endpoint::Pulse() {
  try {
    streams_.Pulse();
    sessions_.Pulse();
  } catch (...) {  // out of memory: the next one may have more luck
    return;
  }
}

void Endpoint::Handle(net::HttpRequest request, std::shared_ptr<net::HttpReply> reply) {
  if (request.fields.Find("Origin")) {
    net::HttpFields fields;
    gate_.AllowOrigin(request.fields, fields);
    reply = std::make_shared<PageReply>(std::move(reply), std::move(fields));
  }
  if (request.method == "POST") return Post(std::move(request), reply);
  // Without a session there is nothing but POST, as in the stateless era.
  const bool in_session = request.fields.Find("Mcp-Session-Id") &&
                          !HttpStateless::Speaks(request.fields, Notification{});
  const auto principal = std::any_cast<Principal>(request.badge);
  if (request.method == "GET" && in_session) {
    return handshake_.Get(request.fields, principal, reply);
  }
  if (request.method == "DELETE" && in_session) {
    return handshake_.Delete(request.fields, principal, reply);
  }
  net::HttpResponse response = PlainText(405, "messages are sent by POST");
  response.fields.Add("Allow", in_session ? "POST, GET, DELETE" : "POST");
  reply->Send(response);
}

void Endpoint::Post(net::HttpRequest request, const std::shared_ptr<net::HttpReply>& reply) {
  if (!IsJson(request.fields)) {
    return reply->Send(PlainText(415, "a message is application/json"));
  }
  if (!Accepts(request.fields, "application/json") ||
      !Accepts(request.fields, "text/event-stream")) {
    return reply->Send(
        PlainText(406, "Accept must have both application/json and text/event-stream"));
  }
  // Several may have more to answer than fits, and this thread must not wait.
  if (request.body.size() <= kReadAtOnce && !IsBatch(request)) return Read(request, reply);
  const auto shared = std::make_shared<const net::HttpRequest>(std::move(request));
  if (!readers_->Submit([this, shared, reply] { Read(*shared, reply); })) {
    reply->Send(PlainText(503, "too many large messages at a time"));
  }
}

void Endpoint::Read(const net::HttpRequest& request, const std::shared_ptr<net::HttpReply>& reply) {
  const auto principal = std::any_cast<Principal>(request.badge);
  if (IsBatch(request) && handshake_.MayBatch(request.fields, principal)) {
    if (auto batch = ParseBatch(request.body)) {
      return handshake_.PostBatch(request.fields, std::move(*batch), principal, reply);
    }
  }
  Message message = ParseMessage(request.body);
  if (const auto* const malformed = std::get_if<Malformed>(&message)) {
    return reply->Send(ErrorAnswer(400, malformed->id, malformed->error));
  }
  if (HttpStateless::Speaks(request.fields, message)) {
    return stateless_.Post(request.fields, std::move(message), principal, reply);
  }
  handshake_.Post(request.fields, std::move(message), principal, reply);
}

}  // namespace

std::unique_ptr<HttpEndpoint> HttpEndpoint::Make(Service& service, Hub& hub,
                                                 std::shared_ptr<const auth::Access> access,
                                                 HttpOptions options) {
  return std::make_unique<Endpoint>(service, hub, std::move(access), std::move(options));
}

}  // namespace cordon::mcp
