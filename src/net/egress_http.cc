#include "net/egress_http.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <utility>

#include "net/egress_tunnel.h"
#include "net/http_text.h"

namespace cordon::net {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;

constexpr std::size_t kAtOnce = 4096;
constexpr std::string_view kEndOfHead = "\r\n\r\n";
constexpr std::string_view kConnected = "HTTP/1.1 200 Connection established\r\n\r\n";
constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

std::string RefusalText(const EgressRequest& request) {
  std::string text = "refused by cordon: " + request.host + ":" + std::to_string(request.port);
  if (!request.address.empty()) text += " (" + request.address + ")";
  return text + ": " + request.why + " (rule: " + request.rule + ")";
}

}  // namespace

EgressHttp::EgressHttp(EgressCore& core, Socket client) : EgressSession(core, std::move(client)) {
  buffer_.max_size(core.limits.head + kAhead);
}

void EgressHttp::Begin() { BeginHead(); }

void EgressHttp::OnClose() {
  if (dial_) dial_->Cancel();
  if (exchange_) exchange_->Stop();
  dial_.reset();
  exchange_.reset();
}

// Between two requests.
void EgressHttp::Rest() {
  exchange_.reset();
  dial_.reset();
  parser_.reset();
  scanned_ = 0;
  if (buffer_.size() > 0) return BeginHead();
  idle_ = true;
  Arm(core_.limits.keep_time);
  ReadSome();
  if (core_.room) core_.room();  // this one gives way to others
}

void EgressHttp::BeginHead() {
  Arm(core_.limits.head_time);
  Look();
}

// For the end of the head in what there is.
void EgressHttp::Look() {
  const std::string_view text(static_cast<const char*>(buffer_.data().data()), buffer_.size());
  const std::size_t end = text.find(kEndOfHead, scanned_);
  const std::size_t size = end == std::string_view::npos ? text.size() : end + kEndOfHead.size();
  if (size > core_.limits.head) return Malformed({431, "the head is too large"});
  if (end != std::string_view::npos) return OnHead(text.substr(0, size));
  scanned_ = text.size() - std::min(text.size(), kEndOfHead.size() - 1);
  ReadSome();
}

void EgressHttp::ReadSome() {
  client_.async_read_some(
      buffer_.prepare(std::min(kAtOnce, buffer_.max_size() - buffer_.size())),
      Handler(*this, [](EgressHttp& self, const error_code& failed, std::size_t count) {
        if (failed) return self.Close();
        self.buffer_.commit(count);
        if (!std::exchange(self.idle_, false)) return self.Look();
        self.BeginHead();
      }));
}

void EgressHttp::OnHead(std::string_view head) {
  if (const auto fault = CheckLines(head)) return Malformed(*fault);
  parser_.emplace();
  parser_->header_limit(static_cast<std::uint32_t>(core_.limits.head));
  parser_->body_limit(boost::none);
  error_code bad;
  const std::size_t used = parser_->put(asio::buffer(head), bad);
  if (bad || !parser_->is_header_done() || used != head.size()) {
    return Malformed({400, "this is no HTTP request"});
  }
  buffer_.consume(head.size());
  HttpFields fields = FieldsOf(parser_->get());
  if (parser_->get().method() == http::verb::connect) return Connect(fields);
  Forward(std::move(fields));
}

void EgressHttp::Connect(const HttpFields& fields) {
  const auto read = ConnectTarget(std::string_view(parser_->get().target()), fields);
  if (const auto* fault = std::get_if<HeadFault>(&read)) return Malformed(*fault);
  const auto& authority = std::get<Authority>(read);
  Dial({EgressProtocol::kConnect, authority.host, *authority.port}, [this](DialResult result) {
    // Shared, because what is said later must be copyable.
    const auto kept = std::make_shared<DialResult>(std::move(result));
    Say(std::string(kConnected), [this, kept] {
      const auto early = buffer_.data();
      EgressTunnel::Ends ends{std::move(client_), std::move(kept->socket),
                              std::string(static_cast<const char*>(early.data()), early.size())};
      const auto tunnel =
          std::make_shared<EgressTunnel>(core_, std::move(ends), std::move(kept->record));
      Close();
      Welcome(tunnel);
    });
  });
}

void EgressHttp::Forward(HttpFields fields) {
  auto read = AbsoluteTarget(std::string_view(parser_->get().target()), fields);
  if (const auto* fault = std::get_if<HeadFault>(&read)) return Malformed(*fault);
  ForwardTarget target = std::get<ForwardTarget>(std::move(read));
  HttpRequest request;
  request.method = std::string(parser_->get().method_string());
  request.path = target.path;
  request.fields = fields;
  const auto version = parser_->get().version() >= 11 ? HttpVersion::k11 : HttpVersion::k10;
  if (const auto fault = CheckHead(request, version)) return Malformed(*fault);
  const EgressDial::Order order{EgressProtocol::kHttp, target.host, target.port};
  Dial(order, [this, fields = std::move(fields), target = std::move(target)](DialResult result) {
    Exchange(std::move(result), fields, target);
  });
}

void EgressHttp::Dial(const EgressDial::Order& order, std::function<void(DialResult)> connected) {
  Arm(core_.limits.connect_time * 3);  // more than it can take
  dial_ = std::make_shared<EgressDial>(core_, order);
  // This is there as long as `dial_` is not cancelled.
  dial_->Begin([this, connected = std::move(connected)](DialResult result) {
    const auto self = shared_from_this();
    const std::string host = result.record->request().host;
    switch (result.kind) {
      case DialResult::Kind::kConnected: return connected(std::move(result));
      case DialResult::Kind::kRefused: return Refuse(403, RefusalText(result.record->request()));
      case DialResult::Kind::kNotFound: return Refuse(502, host + " was not found");
      case DialResult::Kind::kUnreachable:
        return Refuse(502, host + " cannot be reached: " + result.failed.message());
      case DialResult::Kind::kTimeout: return Refuse(504, host + " did not answer in time");
      case DialResult::Kind::kBusy: return Refuse(503, "too many names are being looked up");
    }
  });
}

void EgressHttp::Exchange(DialResult result, HttpFields fields, ForwardTarget target) {
  const auto expect = fields.Find("Expect").has_value() && parser_->get().version() >= 11;
  exchange_ =
      std::make_shared<EgressExchange>(EgressExchange::Job{{*this, client_, buffer_, *parser_},
                                                           std::move(result.socket),
                                                           std::move(fields),
                                                           std::move(target),
                                                           core_.limits.idle_time,
                                                           core_.limits.head},
                                       std::move(result.record));
  const auto begin = [this] {
    exchange_->Begin([this](EgressExchange::Outcome outcome) {
      switch (outcome) {
        case EgressExchange::Outcome::kKeepAlive: return Rest();
        case EgressExchange::Outcome::kClose: return Farewell();
        case EgressExchange::Outcome::kCut: return Close();
        case EgressExchange::Outcome::kNoReply:
          return Refuse(502, "the host gave no reply that could be read");
      }
    });
  };
  // The host is not asked whether it wants the body: it gets it.
  if (expect && !parser_->is_done()) return Say(std::string(kContinue), begin);
  begin();
}

void EgressHttp::Malformed(const HeadFault& fault) {
  TellMalformed(core_, EgressProtocol::kHttp, fault.why);
  Refuse(fault.status, fault.why);
}

void EgressHttp::Refuse(std::uint16_t status, std::string_view why) {
  Arm(core_.limits.head_time);
  const HttpResponse answer = PlainAnswer(status, why);
  std::string text =
      HeadText(answer, {Framing::kLength, Afterwards::kClose, std::chrono::system_clock::now()});
  if (!parser_ || parser_->get().method() != http::verb::head) text += answer.body;
  Say(std::move(text), [this] { Farewell(); });
}

}  // namespace cordon::net
