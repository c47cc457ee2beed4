#include "preview/session.h"

#include <algorithm>
#include <array>
#include <boost/asio/post.hpp>
#include <utility>

namespace cordon::preview {
namespace {

constexpr int kRounds = 32;  // before others have their turn
constexpr std::size_t kMostAhead = std::size_t{64} << 10;
constexpr std::size_t kMostDrained = std::size_t{1} << 20;
constexpr std::chrono::seconds kLastWords{2};

// Writes what is taken of `box` and then of `pieces`; the rest is the box. False: broken.
bool Send(Wire& wire, std::string& box, std::span<const std::string_view> pieces) {
  std::vector<std::string_view> rest;
  if (!box.empty()) {
    for (const std::string_view piece : pieces) box.append(piece);
    rest = {box};
    pieces = rest;
  }
  std::size_t done = 0;
  std::size_t offset = 0;
  while (done < pieces.size()) {
    std::array<std::string_view, 8> batch;
    std::size_t count = 0;
    for (std::size_t i = done; i < pieces.size() && count < batch.size(); ++i, ++count) {
      batch.at(count) = i == done ? pieces[i].substr(offset) : pieces[i];
    }
    const Wire::Moved moved = wire.Write({batch.data(), count});
    if (moved.state == Wire::State::kWantRead || moved.state == Wire::State::kWantWrite) break;
    if (moved.state != Wire::State::kMoved) return false;
    std::size_t sent = moved.count + offset;
    while (done < pieces.size() && sent >= pieces[done].size()) sent -= pieces[done++].size();
    offset = sent;
  }
  std::string left;
  for (; done < pieces.size(); ++done, offset = 0) left.append(pieces[done].substr(offset));
  box.swap(left);  // and gives back what it had room for
  return true;
}

}  // namespace

Session::Session(Core& core, std::unique_ptr<Wire> client, Door door, std::string address)
    : core_(core),
      client_(std::move(client)),
      door_(std::move(door)),
      address_(std::move(address)) {}

void Session::Begin() {
  core_.sessions.emplace(this, shared_from_this());
  WatchClient();
}

void Session::Close() {
  if (std::exchange(closed_, true)) return;
  DropUpstream();
  LeaveTarget();
  client_->Close();
  // Not before whoever called has returned.
  const auto held = core_.sessions.find(this);
  if (held == core_.sessions.end()) return;
  boost::asio::post(core_.io, [self = std::move(held->second)] {});
  core_.sessions.erase(held);
}

void Session::LeaveTarget() {
  if (target_) target_->Leave(*this);
  target_.reset();
}

void Session::DropUpstream() {
  if (upstream_) upstream_->Drop();
  upstream_.reset();
}

void Session::Alive() {
  moved_ = Clock::now();
  if (target_) target_->Touch();
}

// Whatever goes wrong in `work` ends this session alone.
template <typename Work>
auto Session::Guarded(Work work) {
  return [self = shared_from_this(), work](const boost::system::error_code& failed) {
    if (self->closed_) return;
    try {
      work(*self, failed);
    } catch (...) {
      self->Close();
    }
  };
}

void Session::WatchClient() {
  if (watching_ || closed_) return;
  watching_ = true;
  client_->socket().async_wait(Wire::Socket::wait_read,
                               Guarded([](Session& self, const boost::system::error_code& failed) {
                                 self.watching_ = false;
                                 failed ? self.Close() : self.OnClientReadable();
                               }));
}

void Session::WatchClientWrite() {
  if (watching_write_ || closed_) return;
  watching_write_ = true;
  client_->socket().async_wait(Wire::Socket::wait_write,
                               Guarded([](Session& self, const boost::system::error_code& failed) {
                                 self.watching_write_ = false;
                                 failed ? self.Close() : self.OnClientWritable();
                               }));
}

void Session::OnClientReadable() {
  for (int round = 0; round < kRounds && !closed_; ++round) {
    const Wire::Moved moved = client_->Read(core_.scratch);
    if (moved.state == Wire::State::kWantRead) break;
    if (moved.state == Wire::State::kWantWrite) return WatchClientWrite();
    if (moved.state == Wire::State::kEnded) return ClientEnded();
    if (moved.state == Wire::State::kBroken) return Close();
    if (!TakeFromClient({core_.scratch.data(), moved.count})) return;
    // What would have filled more was not there.
    if (moved.count < core_.scratch.size() && !client_->holds_more()) break;
  }
  if (!client_ended_) WatchClient();
}

bool Session::TakeFromClient(std::string_view bytes) {
  switch (phase_) {
    case Phase::kHead: return TakeHead(bytes);
    case Phase::kPreparing: break;
    case Phase::kTunnel: Alive(); return ToUpstream({&bytes, 1});
    case Phase::kFarewell:
      drained_ += bytes.size();
      if (drained_ > kMostDrained) Close();
      return !closed_;
    case Phase::kExchange:
      if (now_.done) break;
      Alive();
      return PumpRequest(bytes);
  }
  // The next request, too early: it waits, and so does whoever sends more.
  inbox_.append(bytes);
  return inbox_.size() < kMostAhead;
}

void Session::ClientEnded() {
  client_ended_ = true;
  if (phase_ != Phase::kTunnel) return Close();
  if (upstream_ended_ && outbox_.empty()) return Close();
  if (upbox_.empty()) upstream_->wire().Finish();
}

void Session::OnClientWritable() {
  if (!Send(*client_, outbox_, {})) return Close();
  moved_ = Clock::now();
  if (!outbox_.empty()) return WatchClientWrite();
  if (phase_ == Phase::kFarewell) return Farewell();
  if (phase_ == Phase::kTunnel && upstream_ended_) {
    client_->Finish();
    if (client_ended_) Close();
    return;
  }
  if (then_.complete) return NextRequest();
  if (phase_ == Phase::kHead) return OnClientReadable();  // TLS wanted to write first
  if (upstream_) OnUpstreamReadable();
}

// False: the visitor does not take it as fast, or is gone.
bool Session::ToClient(std::span<const std::string_view> pieces) {
  if (!Send(*client_, outbox_, pieces)) {
    Close();
    return false;
  }
  if (outbox_.empty()) return true;
  WatchClientWrite();
  return false;
}

bool Session::ToUpstream(std::span<const std::string_view> pieces) {
  if (!upstream_) return false;
  if (!Send(upstream_->wire(), upbox_, pieces)) {
    upbox_.clear();
    // What it said before it broke may still be there to read.
    if (phase_ == Phase::kTunnel) {
      Close();
    } else {
      OnUpstreamReadable();
    }
    return false;
  }
  if (upbox_.empty()) return true;
  upstream_->WatchWrite();
  return false;
}

void Session::OnUpstreamWritable() {
  if (!ToUpstream({})) return;
  moved_ = Clock::now();
  if (phase_ == Phase::kTunnel && client_ended_) {
    upstream_->wire().Finish();
    if (upstream_ended_ && outbox_.empty()) Close();
    return;
  }
  if (!watching_ && !client_ended_) OnClientReadable();
}

void Session::Say(const Page& page) {
  const bool html = now_.wants_html;
  const std::string& body = html ? page.html : page.text;
  const bool close = !now_.done || !now_.keep_alive;
  std::string text = "HTTP/1.1 " + std::to_string(page.status) + " ";
  text.append(ReasonPhrase(page.status)).append("\r\nContent-Type: ");
  text.append(html ? "text/html" : "text/plain").append("; charset=utf-8\r\nContent-Length: ");
  text.append(std::to_string(body.size())).append("\r\nCache-Control: no-store\r\n");
  text += "X-Content-Type-Options: nosniff\r\nX-Cordon-Preview: page\r\n";
  text +=
      "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; frame-ancestors ";
  text.append(core_.frame_ancestors).append("\r\n");
  if (page.reload_after) {
    text.append("Retry-After: ").append(std::to_string(*page.reload_after)).append("\r\n");
  }
  text.append(close ? "Connection: close\r\n\r\n" : "\r\n");
  if (!now_.is_head) text += body;
  SayText(text);
}

// A whole reply of ours.
void Session::SayText(std::string_view text) {
  DropUpstream();
  then_ = {};
  then_.keep_alive = now_.done && now_.keep_alive;
  then_.complete = true;
  phase_ = Phase::kExchange;
  if (ToClient({&text, 1})) NextRequest();
}

// The visitor learns that no more comes, and has a moment to read it.
void Session::Farewell() {
  phase_ = Phase::kFarewell;
  moved_ = Clock::now();
  DropUpstream();
  LeaveTarget();
  if (!outbox_.empty()) return;
  if (!std::exchange(finished_, true)) client_->Finish();
  WatchClient();
}

void Session::Sweep(Clock::time_point now) {
  const ProxyLimits& limits = core_.limits;
  std::chrono::milliseconds most = limits.stall_time;
  switch (phase_) {
    case Phase::kHead: most = inbox_.empty() ? limits.idle_time : limits.head_time; break;
    case Phase::kPreparing: most = limits.reply_time; break;
    case Phase::kTunnel: most = limits.silence; break;
    case Phase::kFarewell: most = kLastWords; break;
    case Phase::kExchange:
      if (outbox_.empty() && upbox_.empty() && now_.done) {
        most = then_.begun ? limits.silence : limits.reply_time;
      }
      break;
  }
  if (!outbox_.empty() || !upbox_.empty()) most = limits.stall_time;
  if (now - moved_ < most) return;
  if (phase_ == Phase::kExchange && !then_.begun && now_.done) {
    return Say(PlainPage(504, "the server inside does not answer"));
  }
  Close();
}

}  // namespace cordon::preview
