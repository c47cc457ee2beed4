#include "net/http_connection.h"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <utility>

#include "net/ascii.h"
#include "net/reply_channel.h"
#include "net/request_check.h"

namespace cordon::net {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;
using Protocol = asio::generic::stream_protocol;
using Parser = http::request_parser<http::buffer_body>;

constexpr std::size_t kPiece = std::size_t{16} << 10;     // of a body, at a time
constexpr std::size_t kFreeBody = std::size_t{64} << 10;  // not counted
constexpr std::size_t kAhead = std::size_t{16} << 10;     // read before its turn
constexpr std::size_t kPeek = 1024;                       // little, because idle clients hold it
constexpr std::size_t kDrained = std::size_t{1} << 20;    // of what is not wanted
constexpr std::chrono::milliseconds kFarewell{1000};      // to read our last words
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

HttpRequest HeadOf(const Parser& parser) {
  const auto& head = parser.get();
  HttpRequest request;
  request.method = std::string(head.method_string());
  const std::string_view target(head.target().data(), head.target().size());
  const std::size_t mark = std::min(target.find('?'), target.size());
  request.path = std::string(target.substr(0, mark));
  if (mark < target.size()) request.query = std::string(target.substr(mark + 1));
  for (const auto& field : head) {
    request.fields.Add(std::string(field.name_string()), std::string(field.value()));
  }
  return request;
}

// What to say to a head or a body that the parser did not take; 0: nothing, it is gone.
std::uint16_t StatusOf(const error_code& failed) {
  if (failed == http::error::end_of_stream || failed == http::error::partial_message) return 0;
  if (failed == http::error::header_limit || failed == http::error::buffer_overflow) return 431;
  if (failed == http::error::body_limit) return 413;
  if (failed.category() == make_error_code(http::error::bad_method).category()) return 400;
  return 0;
}

class Connection final : public HttpConnection, public std::enable_shared_from_this<Connection> {
 public:
  Connection(HttpCore& core, Protocol::socket socket)
      : core_(core), socket_(std::move(socket)), timer_(core.io), place_(core.idle.end()) {
    buffer_.max_size(core.limits.head + kAhead);
  }
  ~Connection() override { Release(); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void Close() override;
  void NextRequest();

 private:
  // kIdle: waits for a request; kHead, kBody: receives one; kWorking: somebody answers it;
  // kRefusing: we do, as the last thing; kFarewell: the client is given time to read that.
  enum class Phase { kIdle, kHead, kBody, kWorking, kRefusing, kFarewell, kClosed };

  void Peek();
  void OnPeek(const error_code& failed, std::size_t count);
  void BeginHead();
  void OnHead(const error_code& failed);
  void Continue();
  void ReadBody();
  void OnBody(error_code failed);
  void Dispatch();
  void Refuse(HttpResponse response);
  void Flush();
  void WriteSome();
  void OnWritten(const error_code& failed, std::size_t count);
  void Finish();
  void Farewell();
  void Drain();
  void Arm(std::chrono::milliseconds time);
  void OnTime();
  void LeaveIdle();
  void Release();
  std::shared_ptr<ReplyChannel> NewChannel(Afterwards afterwards);
  // A handler of ours that keeps this alive; whatever it throws ends this client alone.
  template <typename Work>
  auto Handler(Work work) {
    return [self = shared_from_this(), work](const error_code& failed, auto... rest) mutable {
      if (self->phase_ == Phase::kClosed) return;
      try {
        work(*self, failed, rest...);
      } catch (...) {
        self->Close();
      }
    };
  }

  HttpCore& core_;
  Protocol::socket socket_;
  asio::steady_timer timer_;
  std::list<HttpConnection*>::iterator place_;  // among the idle
  Phase phase_ = Phase::kIdle;
  boost::beast::flat_buffer buffer_;
  bool peeking_ = false;
  std::optional<Parser> parser_;
  HttpRequest request_;
  std::string piece_;
  std::size_t charged_ = 0;  // of core_.bodies
  HttpVersion version_ = HttpVersion::k11;
  std::shared_ptr<ReplyChannel> channel_;
  std::string out_;
  std::size_t written_ = 0;
  bool writing_ = false;
  std::size_t drained_ = 0;
};

void Connection::Close() {
  if (phase_ == Phase::kClosed) return;
  const auto self = shared_from_this();
  phase_ = Phase::kClosed;
  LeaveIdle();
  error_code ignored;
  socket_.close(ignored);
  timer_.cancel();
  Release();
  core_.connections.erase(this);
  core_.count = core_.connections.size();
  if (channel_) channel_->Gone();
}

void Connection::Release() { core_.bodies -= std::exchange(charged_, 0); }

void Connection::LeaveIdle() {
  if (place_ == core_.idle.end()) return;
  core_.idle.erase(place_);
  place_ = core_.idle.end();
}

void Connection::Arm(std::chrono::milliseconds time) {
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

void Connection::OnTime() {
  if (phase_ != Phase::kHead && phase_ != Phase::kBody) return Close();
  error_code ignored;
  socket_.cancel(ignored);
  Refuse(PlainAnswer(408, "the request did not come in time"));
}

void Connection::NextRequest() {
  Release();
  channel_.reset();
  parser_.reset();
  request_ = {};
  piece_ = {};
  phase_ = Phase::kIdle;
  if (buffer_.size() > 0) {
    if (!peeking_) return BeginHead();
    error_code ignored;
    socket_.cancel(ignored);  // goes on in OnPeek
    return;
  }
  if (!peeking_) buffer_.shrink_to_fit();
  place_ = core_.idle.insert(core_.idle.end(), this);
  Arm(core_.limits.idle_time);
  if (!peeking_) Peek();
}

void Connection::Peek() {
  peeking_ = true;
  socket_.async_read_some(buffer_.prepare(std::min(kPeek, buffer_.max_size() - buffer_.size())),
                          Handler([](Connection& self, const error_code& failed,
                                     std::size_t count) { self.OnPeek(failed, count); }));
}

void Connection::OnPeek(const error_code& failed, std::size_t count) {
  peeking_ = false;
  if (failed && failed != asio::error::operation_aborted) {
    // What is answered already is still sent; then this is noticed again.
    const bool answered = phase_ == Phase::kWorking && !channel_->open();
    if (failed == asio::error::eof && answered) return;
    if (phase_ == Phase::kIdle || phase_ == Phase::kWorking) Close();
    return;
  }
  buffer_.commit(count);
  if (phase_ == Phase::kWorking && buffer_.size() < kAhead) return Peek();
  if (phase_ != Phase::kIdle) return;
  if (buffer_.size() > 0) return BeginHead();
  Peek();
}

void Connection::BeginHead() {
  LeaveIdle();
  phase_ = Phase::kHead;
  parser_.emplace();
  parser_->header_limit(static_cast<std::uint32_t>(core_.limits.head));
  parser_->body_limit(core_.limits.body);
  Arm(core_.limits.head_time);
  http::async_read_header(socket_, buffer_, *parser_,
                          Handler([](Connection& self, const error_code& failed, std::size_t) {
                            self.OnHead(failed);
                          }));
}

void Connection::OnHead(const error_code& failed) {
  if (phase_ != Phase::kHead) return;
  if (failed) {
    const std::uint16_t status = StatusOf(failed);
    if (status == 0) return Close();
    return Refuse(PlainAnswer(status, failed.message()));
  }
  request_ = HeadOf(*parser_);
  version_ = parser_->get().version() >= 11 ? HttpVersion::k11 : HttpVersion::k10;
  if (const auto fault = CheckHead(request_, version_)) {
    return Refuse(PlainAnswer(fault->status, fault->why));
  }
  if (core_.gate) {
    if (std::optional<HttpResponse> refused = core_.gate(request_)) {
      return Refuse(std::move(*refused));
    }
  }
  if (parser_->is_done()) return Dispatch();
  phase_ = Phase::kBody;
  piece_.resize(kPiece);
  if (version_ == HttpVersion::k11 && request_.fields.Find("Expect")) return Continue();
  ReadBody();
}

void Connection::Continue() {
  Arm(core_.limits.stall_time);
  asio::async_write(socket_, asio::buffer(kContinue),
                    Handler([](Connection& self, const error_code& failed, std::size_t) {
                      if (self.phase_ != Phase::kBody) return;
                      if (failed) return self.Close();
                      self.ReadBody();
                    }));
}

void Connection::ReadBody() {
  auto& body = parser_->get().body();
  body.data = piece_.data();
  body.size = piece_.size();
  body.more = true;
  Arm(core_.limits.stall_time);
  http::async_read_some(socket_, buffer_, *parser_,
                        Handler([](Connection& self, const error_code& failed, std::size_t) {
                          self.OnBody(failed);
                        }));
}

void Connection::OnBody(error_code failed) {
  if (phase_ != Phase::kBody) return;
  if (failed == http::error::need_buffer) failed = {};
  if (failed) {
    const std::uint16_t status = StatusOf(failed);
    if (status == 0) return Close();
    return Refuse(PlainAnswer(status == 431 ? 400 : status, failed.message()));
  }
  const std::size_t got = piece_.size() - parser_->get().body().size;
  const std::size_t total = request_.body.size() + got;
  const std::size_t counted = total > kFreeBody ? total - kFreeBody : 0;
  if (core_.bodies - charged_ + counted > core_.limits.bodies) {
    return Refuse(PlainAnswer(503, "too much is being received; try again later"));
  }
  core_.bodies += counted - charged_;
  charged_ = counted;
  request_.body.append(piece_, 0, got);
  if (parser_->is_done()) return Dispatch();
  ReadBody();
}

std::shared_ptr<ReplyChannel> Connection::NewChannel(Afterwards afterwards) {
  ReplyTerms terms;
  terms.afterwards = version_ == HttpVersion::k11 ? afterwards : Afterwards::kClose;
  terms.stream = version_ == HttpVersion::k11 ? Framing::kChunks : Framing::kUntilClose;
  terms.body = request_.method == "HEAD" ? ReplyTerms::Body::kHeadOnly : ReplyTerms::Body::kWanted;
  terms.unsent = core_.limits.unsent;
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

void Connection::Dispatch() {
  phase_ = Phase::kWorking;
  timer_.cancel();
  channel_ = NewChannel(parser_->get().keep_alive() ? Afterwards::kKeepAlive : Afterwards::kClose);
  piece_ = {};
  if (!peeking_ && buffer_.size() < kAhead) Peek();
  core_.handler(std::exchange(request_, {}), MakeReply(channel_));
}

void Connection::Refuse(HttpResponse response) {
  phase_ = Phase::kRefusing;
  timer_.cancel();
  channel_ = NewChannel(Afterwards::kClose);
  channel_->Send(std::move(response));
}

void Connection::Flush() {
  if (writing_ || !channel_) return;
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

void Connection::WriteSome() {
  Arm(core_.limits.stall_time);
  socket_.async_write_some(asio::buffer(std::string_view(out_).substr(written_)),
                           Handler([](Connection& self, const error_code& failed,
                                      std::size_t count) { self.OnWritten(failed, count); }));
}

void Connection::OnWritten(const error_code& failed, std::size_t count) {
  if (failed) return Close();
  channel_->Sent(count);
  written_ += count;
  if (written_ < out_.size()) return WriteSome();
  writing_ = false;
  out_ = {};
  timer_.cancel();
  Flush();
}

void Connection::Finish() {
  if (phase_ == Phase::kWorking && channel_->keeps_alive()) return NextRequest();
  Farewell();
}

// Closing with bytes unread would make the system throw away what the client has not read.
void Connection::Farewell() {
  phase_ = Phase::kFarewell;
  Release();
  error_code failed;
  socket_.shutdown(Protocol::socket::shutdown_send, failed);
  if (failed) return Close();
  Arm(std::min(kFarewell, core_.limits.stall_time));
  piece_.resize(kPiece);
  Drain();
}

void Connection::Drain() {
  socket_.async_read_some(
      asio::buffer(piece_),
      Handler([](Connection& self, const error_code& failed, std::size_t count) {
        if (self.phase_ != Phase::kFarewell) return;
        if (failed == asio::error::operation_aborted) return self.Drain();
        self.drained_ += count;
        if (failed || self.drained_ > kDrained) return self.Close();
        self.Drain();
      }));
}

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
  const auto connection = std::make_shared<Connection>(core, std::move(assigned));
  core.connections.emplace(connection.get(), connection);
  core.count = core.connections.size();
  connection->NextRequest();
}

}  // namespace cordon::net
