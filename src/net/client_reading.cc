#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>
#include <utility>

#include "net/client_connection.h"

namespace cordon::net {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;

constexpr std::size_t kFreeBody = std::size_t{64} << 10;  // not counted
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

HttpRequest HeadOf(const ClientConnection::Parser& parser) {
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

}  // namespace

void ClientConnection::BeginHead() {
  phase_ = Phase::kHead;
  parser_.emplace();
  parser_->header_limit(static_cast<std::uint32_t>(core_.limits.head));
  parser_->body_limit(core_.limits.body);
  Arm(core_.limits.head_time);
  http::async_read_header(socket_, buffer_, *parser_,
                          Handler([](ClientConnection& self, const error_code& failed,
                                     std::size_t) { self.OnHead(failed); }));
}

void ClientConnection::OnHead(const error_code& failed) {
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
    if (const std::optional<HttpResponse> refused = core_.gate(request_)) {
      return Refuse(*refused);
    }
  }
  LeaveLine();
  if (parser_->is_done()) return Dispatch();
  phase_ = Phase::kBody;
  piece_.resize(kPiece);
  if (version_ == HttpVersion::k11 && request_.fields.Find("Expect")) return Continue();
  ReadBody();
}

void ClientConnection::Continue() {
  Arm(core_.limits.stall_time);
  asio::async_write(socket_, asio::buffer(kContinue),
                    Handler([](ClientConnection& self, const error_code& failed, std::size_t) {
                      if (self.phase_ != Phase::kBody) return;
                      if (failed) return self.Close();
                      self.ReadBody();
                    }));
}

void ClientConnection::ReadBody() {
  auto& body = parser_->get().body();
  body.data = piece_.data();
  body.size = piece_.size();
  body.more = true;
  Arm(core_.limits.stall_time);
  http::async_read_some(socket_, buffer_, *parser_,
                        Handler([](ClientConnection& self, const error_code& failed, std::size_t) {
                          self.OnBody(failed);
                        }));
}

void ClientConnection::OnBody(error_code failed) {
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

}  // namespace cordon::net
