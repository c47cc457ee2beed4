#include "net/egress_session.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

namespace cordon::net {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Clock = asio::steady_timer::clock_type;

constexpr std::size_t kPiece = std::size_t{16} << 10;
constexpr std::size_t kDrained = std::size_t{1} << 20;  // of what is not wanted
constexpr std::chrono::milliseconds kFarewell{1000};

}  // namespace

void EgressSession::Welcome(const std::shared_ptr<EgressSession>& session) {
  EgressCore& core = session->core_;
  core.sessions.emplace(session.get(), session);
  core.count = core.sessions.size();
  try {
    session->Begin();
  } catch (...) {
    session->Close();
  }
}

void EgressSession::Close() {
  if (closed_) return;
  const auto self = shared_from_this();
  closed_ = true;
  error_code ignored;
  client_.close(ignored);
  timer_.cancel();
  OnClose();
  core_.sessions.erase(this);
  core_.count = core_.sessions.size();
  if (core_.room) core_.room();
}

// The timer itself is moved only to an earlier time, so that this costs next to nothing.
void EgressSession::Arm(std::chrono::milliseconds time) {
  deadline_ = Clock::now() + time;
  if (!waiting_ || timer_.expiry() > deadline_) Wait();
}

void EgressSession::Wait() {
  waiting_ = true;
  timer_.expires_at(deadline_);
  timer_.async_wait([weak = weak_from_this()](const error_code& aborted) {
    const auto self = weak.lock();
    if (aborted || !self || self->closed_) return;
    try {
      self->waiting_ = false;
      if (Clock::now() < self->deadline_) return self->Wait();
      self->OnTime();
    } catch (...) {
      self->Close();
    }
  });
}

void EgressSession::Say(std::string text, std::function<void()> then) {
  said_ = std::move(text);
  asio::async_write(client_, asio::buffer(said_),
                    Handler(*this, [then = std::move(then)](EgressSession& self,
                                                            const error_code& failed, std::size_t) {
                      if (failed) return self.Close();
                      then();
                    }));
}

// Closing with bytes unread would make the system throw away what the client has not read.
void EgressSession::Farewell() {
  error_code failed;
  client_.shutdown(Socket::shutdown_send, failed);
  if (failed) return Close();
  Arm(kFarewell);
  drain_.resize(kPiece);
  Drain();
}

void EgressSession::Drain() {
  client_.async_read_some(
      asio::buffer(drain_),
      Handler(*this, [](EgressSession& self, const error_code& failed, std::size_t count) {
        self.drained_ += count;
        if (failed || self.drained_ > kDrained) return self.Close();
        self.Drain();
      }));
}

}  // namespace cordon::net
