#include "net/client_connection.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <utility>

namespace cordon::net {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Protocol = asio::generic::stream_protocol;

constexpr std::size_t kPeek = 1024;                     // little, because idle clients hold it
constexpr std::size_t kDrained = std::size_t{1} << 20;  // of what is not wanted
constexpr std::chrono::milliseconds kFarewell{1000};    // to read our last words

}  // namespace

void ClientConnection::Close() {
  if (phase_ == Phase::kClosed) return;
  const auto self = shared_from_this();
  phase_ = Phase::kClosed;
  LeaveLine();
  error_code ignored;
  socket_.close(ignored);
  timer_.cancel();
  Release();
  core_.connections.erase(this);
  core_.count = core_.connections.size();
  if (core_.closing && core_.connections.empty()) core_.last_words.cancel();
  if (channel_) channel_->Gone();
  if (upgrade_) upgrade_->Gone();
  if (link_) link_->CloseNow();
}

void ClientConnection::Leave() {
  if (phase_ == Phase::kFarewell || phase_ == Phase::kRefusing) return;
  if (phase_ == Phase::kWorking && channel_ && !channel_->open()) return;
  Close();
}

void ClientConnection::Release() { core_.bodies -= std::exchange(charged_, 0); }

void ClientConnection::Join(std::list<HttpConnection*>& line) {
  place_ = line.insert(line.end(), this);
  line_ = &line;
}

void ClientConnection::LeaveLine() {
  if (line_ != nullptr) std::exchange(line_, nullptr)->erase(place_);
}

void ClientConnection::Arm(std::chrono::milliseconds time) {
  timer_.expires_after(time);
  timer_.async_wait([weak = weak_from_this()](const error_code& aborted) {
    const auto self = weak.lock();
    if (aborted || !self || self->phase_ == Phase::kClosed) return;
    if (self->timer_.expiry() > asio::steady_timer::clock_type::now()) return;  // set anew
    try {
      self->OnTime();
    } catch (...) {
      self->Close();
    }
  });
}

void ClientConnection::OnTime() {
  if (phase_ != Phase::kHead && phase_ != Phase::kBody) return Close();
  error_code ignored;
  socket_.cancel(ignored);
  Refuse(PlainAnswer(408, "the request did not come in time"));
}

void ClientConnection::NextRequest() {
  Release();
  channel_.reset();
  parser_.reset();
  request_ = {};
  piece_ = {};
  phase_ = Phase::kIdle;
  if (line_ == nullptr) Join(core_.idle);
  if (buffer_.size() > 0) {
    if (!peeking_) return BeginHead();
    error_code ignored;
    socket_.cancel(ignored);  // goes on in OnPeek
    return;
  }
  if (!peeking_) buffer_.shrink_to_fit();
  Arm(core_.limits.idle_time);
  if (!peeking_) Peek();
}

void ClientConnection::Peek() {
  peeking_ = true;
  socket_.async_read_some(buffer_.prepare(std::min(kPeek, buffer_.max_size() - buffer_.size())),
                          Handler([](ClientConnection& self, const error_code& failed,
                                     std::size_t count) { self.OnPeek(failed, count); }));
}

void ClientConnection::OnPeek(const error_code& failed, std::size_t count) {
  peeking_ = false;
  if (failed && failed != asio::error::operation_aborted) {
    // What is answered already is still sent; then this is noticed again.
    const bool answered = phase_ == Phase::kWorking && !channel_->open();
    if (failed == asio::error::eof && answered) return;
    if (phase_ == Phase::kIdle || phase_ == Phase::kWorking || phase_ == Phase::kUpgraded) Close();
    return;
  }
  buffer_.commit(count);
  if (phase_ == Phase::kUpgraded) return Upgrade();
  if (phase_ == Phase::kWorking && buffer_.size() < kAhead) return Peek();
  if (phase_ != Phase::kIdle) return;
  if (buffer_.size() > 0) return BeginHead();
  Peek();
}

std::shared_ptr<ReplyChannel> ClientConnection::NewChannel(Afterwards afterwards) {
  ReplyTerms terms;
  terms.afterwards = version_ == HttpVersion::k11 ? afterwards : Afterwards::kClose;
  terms.stream = version_ == HttpVersion::k11 ? Framing::kChunks : Framing::kUntilClose;
  terms.body = request_.method == "HEAD" ? ReplyTerms::Body::kHeadOnly : ReplyTerms::Body::kWanted;
  terms.unsent = core_.limits.unsent;
  terms.patience = core_.limits.stall_time;
  terms.all = core_.unsent;
  return std::make_shared<ReplyChannel>(terms, [weak = weak_from_this(), &io = core_.io] {
    asio::post(io, [weak] {
      const auto self = weak.lock();
      if (!self || self->phase_ == Phase::kClosed) return;
      try {
        self->Flush();
      } catch (...) {
        self->Close();
      }
    });
  });
}

void ClientConnection::Dispatch() {
  phase_ = Phase::kWorking;
  timer_.cancel();
  channel_ = NewChannel(parser_->get().keep_alive() ? Afterwards::kKeepAlive : Afterwards::kClose);
  piece_ = {};
  if (!peeking_ && buffer_.size() < kAhead) Peek();
  core_.handler(std::exchange(request_, {}), MakeReply(channel_));
}

void ClientConnection::Refuse(const HttpResponse& response) {
  phase_ = Phase::kRefusing;
  timer_.cancel();
  channel_ = NewChannel(Afterwards::kClose);
  channel_->Send(response);
}

void ClientConnection::Flush() {
  if (!channel_) return;
  if (channel_->evicted()) return Close();
  if (writing_) return;
  if (auto socket = channel_->TakeUpgrade()) return BeginUpgrade(std::move(socket));
  // Asked before the rest is taken: what comes in between wakes us again.
  const std::shared_ptr<ReplyChannel> channel = channel_;
  out_ = channel->Take();
  written_ = 0;
  if (!out_.empty()) {
    writing_ = true;
    return WriteSome();
  }
  if (channel->finished()) Finish();
}

void ClientConnection::WriteSome() {
  Arm(core_.limits.stall_time);
  socket_.async_write_some(asio::buffer(std::string_view(out_).substr(written_)),
                           Handler([](ClientConnection& self, const error_code& failed,
                                      std::size_t count) { self.OnWritten(failed, count); }));
}

void ClientConnection::OnWritten(const error_code& failed, std::size_t count) {
  if (failed) return Close();
  channel_->Sent(count);
  written_ += count;
  if (written_ < out_.size()) return WriteSome();
  writing_ = false;
  out_ = {};
  timer_.cancel();
  Flush();
}

void ClientConnection::Finish() {
  if (phase_ == Phase::kWorking && channel_->keeps_alive() && !core_.closing) return NextRequest();
  Farewell();
}

void ClientConnection::BeginUpgrade(std::shared_ptr<WebSocketChannel> socket) {
  phase_ = Phase::kUpgraded;
  upgrade_ = std::move(socket);
  if (!peeking_) return Upgrade();
  error_code ignored;
  socket_.cancel(ignored);  // goes on in OnPeek
}

void ClientConnection::Upgrade() {
  // A client waits for our word before it says anything more.
  if (buffer_.size() > 0) return Close();
  buffer_.shrink_to_fit();
  link_ = std::make_shared<WebSocketLink>(
      core_.io, std::move(socket_), std::exchange(upgrade_, nullptr), [weak = weak_from_this()] {
        if (const auto self = weak.lock()) self->Close();
      });
  link_->Start(parser_->get());
  parser_.reset();
}

// Closing with bytes unread would make the system throw away what the client has not read.
void ClientConnection::Farewell() {
  phase_ = Phase::kFarewell;
  Release();
  error_code failed;
  socket_.shutdown(Protocol::socket::shutdown_send, failed);
  if (failed) return Close();
  Arm(std::min(kFarewell, core_.limits.stall_time));
  piece_.resize(kPiece);
  Drain();
}

void ClientConnection::Drain() {
  socket_.async_read_some(
      asio::buffer(piece_),
      Handler([](ClientConnection& self, const error_code& failed, std::size_t count) {
        if (self.phase_ != Phase::kFarewell) return;
        if (failed == asio::error::operation_aborted) return self.Drain();
        self.drained_ += count;
        if (failed || self.drained_ > kDrained) return self.Close();
        self.Drain();
      }));
}

namespace {

Protocol ProtocolOf(HttpConnection::Kind kind) {
  switch (kind) {
    case HttpConnection::Kind::kTcp4: return asio::ip::tcp::v4();
    case HttpConnection::Kind::kTcp6: return asio::ip::tcp::v6();
    case HttpConnection::Kind::kLocal: break;
  }
  return asio::local::stream_protocol();
}

}  // namespace

void HttpConnection::Welcome(HttpCore& core, platform::UniqueFd socket, Kind kind) {
  Protocol::socket assigned(core.io);
  error_code failed;
  assigned.assign(ProtocolOf(kind), socket.get(), failed);
  if (failed) return;
  static_cast<void>(socket.release());
  if (kind != Kind::kLocal) assigned.set_option(asio::ip::tcp::no_delay(true), failed);
  const auto connection = std::make_shared<ClientConnection>(core, std::move(assigned));
  core.connections.emplace(connection.get(), connection);
  core.count = core.connections.size();
  connection->NextRequest();
}

}  // namespace cordon::net
