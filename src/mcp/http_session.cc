#include "mcp/http_session.h"

#include <atomic>
#include <functional>
#include <mutex>
#include <utility>

#include "mcp/http_answer.h"

namespace cordon::mcp {
namespace {

class Unasked final : public MessageSink {
 public:
  explicit Unasked(std::shared_ptr<HttpOutbox> outbox) : outbox_(std::move(outbox)) {}
  void Send(std::string message) override {
    outbox_->Send(HttpOutbox::kUnasked, message, HttpOutbox::Waiting::kNever);
  }

 private:
  const std::shared_ptr<HttpOutbox> outbox_;
};

class SessionReply final : public HttpStream {
 public:
  SessionReply(std::shared_ptr<HttpSession> session, std::shared_ptr<net::HttpReply> reply,
               const HttpGate& gate, Announce announce, std::function<void()> failed)
      : session_(std::move(session)),
        gate_(gate),
        announce_(announce),
        failed_(std::move(failed)),
        reply_(std::move(reply)) {}
  // Dropped without an answer; where nothing was said, HTTP says so.
  ~SessionReply() override {
    if (const auto stream = TakeStream()) session_->outbox().End(*stream);
  }
  SessionReply(const SessionReply&) = delete;
  SessionReply& operator=(const SessionReply&) = delete;

  void Send(std::string message) override {
    if (const auto stream = Begin()) {
      session_->outbox().Send(*stream, message, HttpOutbox::Waiting::kMay);
    }
  }

  void Finish(std::string&& response, std::optional<RpcCode> failure) override {
    if (const auto reply = TakeReply()) return Answer(*reply, std::move(response), failure);
    if (const auto stream = TakeStream()) {
      session_->outbox().Send(*stream, response, HttpOutbox::Waiting::kMay);
      session_->outbox().End(*stream);
    }
  }

  // Nothing is expected any more, but HTTP wants an answer.
  void Abandon() override {
    if (const auto reply = TakeReply()) reply->Send({202, {}, {}});
    if (const auto stream = TakeStream()) session_->outbox().End(*stream);
  }

  void Pulse() override {
    // The first may come at once; by the second one something takes long.
    if (std::exchange(pulsed_, true) && announce_ == Announce::kNo) static_cast<void>(Begin());
  }
  void Busy() override { busy_ = true; }

 private:
  // The stream there is from the first message on; none when all is said.
  std::optional<std::uint64_t> Begin() {
    const std::lock_guard lock(mutex_);
    if (reply_) {
      stream_ = session_->outbox().NewStream();
      session_->outbox().Attach(*stream_, std::exchange(reply_, nullptr), session_->priming());
    }
    return stream_;
  }
  std::shared_ptr<net::HttpReply> TakeReply() {
    const std::lock_guard lock(mutex_);
    return std::exchange(reply_, nullptr);
  }
  std::optional<std::uint64_t> TakeStream() {
    const std::lock_guard lock(mutex_);
    return std::exchange(stream_, std::nullopt);
  }
  void Answer(net::HttpReply& reply, std::string response, std::optional<RpcCode> failure) {
    const std::uint16_t status = busy_ ? 503 : StatusOf(failure, Era::kHandshake);
    net::HttpResponse answer = JsonAnswer(status, std::move(response));
    if (status == 403) {
      answer.fields.Add("WWW-Authenticate", gate_.ScopeChallenge(ScopesIn(answer.body)));
    }
    if (failure && failed_) failed_();
    if (announce_ == Announce::kYes && !failure) {
      answer.fields.Add("Mcp-Session-Id", session_->id());
    }
    reply.Send(std::move(answer));
  }

  const std::shared_ptr<HttpSession> session_;
  const HttpGate& gate_;
  const Announce announce_;
  const std::function<void()> failed_;
  std::mutex mutex_;
  std::shared_ptr<net::HttpReply> reply_;  // while nothing was said
  std::optional<std::uint64_t> stream_;    // from then on
  std::atomic<bool> busy_ = false;
  bool pulsed_ = false;  // of the thread that pulses
};

class BatchReply final : public HttpStream {
 public:
  BatchReply(std::shared_ptr<HttpSession> session, const std::shared_ptr<net::HttpReply>& reply,
             std::size_t parts)
      : session_(std::move(session)), stream_(session_->outbox().NewStream()), missing_(parts) {
    session_->outbox().Attach(stream_, reply, session_->priming());
  }
  void Send(std::string message) override {
    session_->outbox().Send(stream_, message, HttpOutbox::Waiting::kMay);
  }
  void Finish(std::string&& response, std::optional<RpcCode> /*failure*/) override {
    Send(std::move(response));
    Abandon();
  }
  void Abandon() override {
    if (--missing_ == 0) session_->outbox().End(stream_);
  }
  void Pulse() override {}  // the outbox has one
  void Busy() override {}

 private:
  const std::shared_ptr<HttpSession> session_;
  const std::uint64_t stream_;
  std::atomic<std::size_t> missing_;
};

}  // namespace

HttpSession::HttpSession(Service& service, Hub& hub, Principal principal, std::string id,
                         HttpOutbox::Limits limits, std::shared_ptr<WaitingRoom> room,
                         std::shared_ptr<Tasks> tasks)
    : id_(std::move(id)),
      outbox_(std::make_shared<HttpOutbox>(limits)),
      session_(service, hub, std::move(principal), std::make_shared<Unasked>(outbox_),
               std::move(room), std::move(tasks)) {}

HttpOutbox::Priming HttpSession::priming() const {
  return session_.revision() >= Revision::k2025_11_25 ? HttpOutbox::Priming::kYes
                                                      : HttpOutbox::Priming::kNo;
}

void HttpSession::Close() {
  session_.Close();
  outbox_->Close();
}

std::shared_ptr<HttpStream> MakeSessionReply(std::shared_ptr<HttpSession> session,
                                             std::shared_ptr<net::HttpReply> reply,
                                             const HttpGate& gate, Announce announce,
                                             std::function<void()> failed) {
  return std::make_shared<SessionReply>(std::move(session), std::move(reply), gate, announce,
                                        std::move(failed));
}

std::shared_ptr<HttpStream> MakeBatchReply(std::shared_ptr<HttpSession> session,
                                           const std::shared_ptr<net::HttpReply>& reply,
                                           std::size_t parts) {
  return std::make_shared<BatchReply>(std::move(session), reply, parts);
}

}  // namespace cordon::mcp
