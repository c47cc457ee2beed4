#include "net/egress_exchange.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>
#include <utility>

#include "net/egress_head.h"

namespace cordon::net {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;

constexpr int kMaxInterim = 8;

// One piece of a body as the other side is to get it.
std::string Framed(Framing framing, std::string_view piece) {
  if (piece.empty()) return {};
  return framing == Framing::kChunks ? ChunkText(piece) : std::string(piece);
}

template <typename Parser, typename Piece>
void Offer(Parser& parser, Piece& piece) {
  auto& body = parser.get().body();
  body.data = piece.data();
  body.size = piece.size();
  body.more = true;
}

}  // namespace

HttpFields FieldsOf(const http::fields& fields) {
  HttpFields copied;
  for (const auto& field : fields) {
    copied.Add(std::string(field.name_string()), std::string(field.value()));
  }
  return copied;
}

EgressExchange::EgressExchange(Job job, std::shared_ptr<EgressRecord> record)
    : job_(std::move(job)), record_(std::move(record)) {
  host_buffer_.max_size(job_.head_limit + kPiece);
}

template <typename Work>
auto EgressExchange::Handler(Work work) {
  return EgressSession::Handler(
      job_.client.session,
      [self = shared_from_this(), work](EgressSession&, const error_code& failed, auto... rest) {
        if (!self->done_) return;
        self->job_.client.session.Arm(self->job_.idle_time);
        work(*self, failed, rest...);
      });
}

void EgressExchange::Begin(std::function<void(Outcome)> done) {
  done_ = std::move(done);
  job_.client.session.Arm(job_.idle_time);
  SendHead();
}

void EgressExchange::Stop() {
  done_ = nullptr;
  error_code ignored;
  job_.host.close(ignored);
  record_.reset();
}

void EgressExchange::Finish(Outcome outcome) {
  const auto done = std::exchange(done_, nullptr);
  Stop();
  done(outcome);
}

void EgressExchange::SendHead() {
  const auto& head = job_.client.request.get();
  const std::string method(head.method_string());
  PassedRequest passed{method, job_.target, job_.fields};
  const auto length = job_.client.request.content_length();
  if (job_.client.request.chunked()) passed.framing = Framing::kChunks;
  if (length) passed.length = *length;
  up_framing_ = passed.framing;
  up_text_ = RequestHead(passed);
  asio::async_write(job_.host, asio::buffer(up_text_),
                    Handler([](EgressExchange& self, const error_code& failed, std::size_t count) {
                      self.record_->AddUp(count);
                      if (failed) return self.Finish(Outcome::kNoReply);
                      self.ReadReplyHead();
                      self.ReadUp();
                    }));
}

void EgressExchange::ReadUp() {
  if (job_.client.request.is_done()) {
    up_done_ = true;
    if (up_framing_ == Framing::kChunks) WriteUp(std::string(kLastChunk));
    return;
  }
  Offer(job_.client.request, up_);
  http::async_read_some(job_.client.socket, job_.client.buffer, job_.client.request,
                        Handler([](EgressExchange& self, const error_code& failed, std::size_t) {
                          self.OnUp(failed);
                        }));
}

void EgressExchange::OnUp(error_code failed) {
  if (failed == http::error::need_buffer) failed = {};
  if (failed) return Finish(Outcome::kCut);
  const std::size_t got = up_.size() - job_.client.request.get().body().size;
  if (got == 0) return ReadUp();
  WriteUp(Framed(up_framing_, {up_.data(), got}));
}

void EgressExchange::WriteUp(std::string text) {
  up_text_ = std::move(text);
  asio::async_write(job_.host, asio::buffer(up_text_),
                    Handler([](EgressExchange& self, const error_code& failed, std::size_t count) {
                      self.record_->AddUp(count);
                      // A host may answer without taking everything: the reply tells.
                      if (failed || self.up_done_) return;
                      self.ReadUp();
                    }));
}

void EgressExchange::ReadReplyHead() {
  reply_.emplace();
  reply_->header_limit(static_cast<std::uint32_t>(job_.head_limit));
  reply_->body_limit(boost::none);
  reply_->skip(job_.client.request.get().method() == http::verb::head);
  http::async_read_header(job_.host, host_buffer_, *reply_,
                          Handler([](EgressExchange& self, const error_code& failed, std::size_t) {
                            self.OnReplyHead(failed);
                          }));
}

void EgressExchange::OnReplyHead(const error_code& failed) {
  if (failed) return Finish(Outcome::kNoReply);
  const auto& head = reply_->get();
  const unsigned status = head.result_int();
  // Nothing was asked for that another protocol could be the answer to.
  if (status == 101 || status < 100) return Finish(Outcome::kNoReply);
  if (status < 200) {
    if (++interim_ > kMaxInterim) return Finish(Outcome::kNoReply);
    return ReadReplyHead();
  }
  const auto& request = job_.client.request.get();
  const bool bare = request.method() == http::verb::head || status == 204 || status == 304;
  const HttpFields fields = FieldsOf(head);
  const std::string reason(head.reason());
  PassedReply passed{static_cast<std::uint16_t>(status), reason, fields};
  const auto length = reply_->content_length();
  if (length && status != 204) passed.length = *length;
  if (!bare && !length) {
    passed.framing = request.version() >= 11 ? Framing::kChunks : Framing::kUntilClose;
  }
  if (request.keep_alive() && passed.framing != Framing::kUntilClose) {
    passed.afterwards = Afterwards::kKeepAlive;
  }
  down_framing_ = passed.framing;
  afterwards_ = passed.afterwards;
  WriteDown(ReplyHead(passed));
}

void EgressExchange::ReadDown() {
  if (reply_->is_done()) {
    down_done_ = true;
    if (down_framing_ == Framing::kChunks) return WriteDown(std::string(kLastChunk));
    return Finish(up_done_ && afterwards_ == Afterwards::kKeepAlive ? Outcome::kKeepAlive
                                                                    : Outcome::kClose);
  }
  Offer(*reply_, down_);
  http::async_read_some(job_.host, host_buffer_, *reply_,
                        Handler([](EgressExchange& self, const error_code& failed, std::size_t) {
                          self.OnDown(failed);
                        }));
}

void EgressExchange::OnDown(error_code failed) {
  if (failed == http::error::need_buffer) failed = {};
  const std::size_t got = down_.size() - reply_->get().body().size;
  if (failed) return Finish(Outcome::kCut);
  if (got == 0) return ReadDown();
  WriteDown(Framed(down_framing_, {down_.data(), got}));
}

void EgressExchange::WriteDown(std::string text) {
  down_text_ = std::move(text);
  asio::async_write(job_.client.socket, asio::buffer(down_text_),
                    Handler([](EgressExchange& self, const error_code& failed, std::size_t count) {
                      self.record_->AddDown(count);
                      if (failed) return self.Finish(Outcome::kCut);
                      if (!self.down_done_) return self.ReadDown();
                      const bool keep = self.up_done_ && self.afterwards_ == Afterwards::kKeepAlive;
                      self.Finish(keep ? Outcome::kKeepAlive : Outcome::kClose);
                    }));
}

}  // namespace cordon::net
