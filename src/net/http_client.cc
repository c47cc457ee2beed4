#include "net/http_client.h"

#include <utility>

#include "base/try.h"
#include "net/http_exchange.h"

namespace cordon::net {
namespace {

class Incoming final : public HttpIncoming {
 public:
  explicit Incoming(std::unique_ptr<HttpExchange> exchange) : exchange_(std::move(exchange)) {}
  const HttpResponse& head() const override { return exchange_->head(); }
  Result<std::optional<std::string>> Next(std::chrono::milliseconds patience) override {
    return exchange_->Next(patience);
  }
  void Cancel() override { exchange_->Cancel(); }

 private:
  std::unique_ptr<HttpExchange> exchange_;
};

// Third-party code behind this may throw.
template <typename Value, typename Work>
Result<Value> Guarded(Work work) {
  try {
    return work();
  } catch (const std::exception& thrown) {
    Error error;
    error.code = ErrorCode::kIoError;
    error.op = "http call";
    error.detail = thrown.what();
    return error;
  }
}

Result<HttpResponse> Whole(HttpExchange& exchange) {
  HttpResponse response = exchange.head();
  TRY_ASSIGN(response.body, exchange.Rest());
  return response;
}

}  // namespace

Result<HttpResponse> HttpClient::Send(const HttpCall& call) const {
  return Guarded<HttpResponse>([&]() -> Result<HttpResponse> {
    HttpExchange exchange(limits_, HttpExchange::Body::kWhole);
    TRY(exchange.Connect(peer_));
    TRY(exchange.Ask(peer_, call, ""));
    return Whole(exchange);
  });
}

Result<std::unique_ptr<HttpIncoming>> HttpClient::Open(const HttpCall& call) const {
  using Opened = std::unique_ptr<HttpIncoming>;
  return Guarded<Opened>([&]() -> Result<Opened> {
    auto exchange = std::make_unique<HttpExchange>(limits_, HttpExchange::Body::kStream);
    TRY(exchange->Connect(peer_));
    TRY(exchange->Ask(peer_, call, ""));
    return Opened(std::make_unique<Incoming>(std::move(exchange)));
  });
}

Result<HttpHijack> HttpClient::Hijack(const HttpCall& call, const std::string& protocol) const {
  return Guarded<HttpHijack>([&]() -> Result<HttpHijack> {
    HttpExchange exchange(limits_, HttpExchange::Body::kLeaveHttp);
    TRY(exchange.Connect(peer_));
    TRY(exchange.Ask(peer_, call, protocol));
    HttpHijack hijack;
    if (exchange.head().status != 101) {
      TRY_ASSIGN(hijack.head, Whole(exchange));
      return hijack;
    }
    hijack.head = exchange.head();
    TRY_ASSIGN(hijack.stream, exchange.Release(hijack.early));
    return hijack;
  });
}

}  // namespace cordon::net
