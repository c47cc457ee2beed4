// A client that speaks HTTP to the egress proxy.
#pragma once

#include <boost/beast/core/flat_buffer.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "net/egress_dial.h"
#include "net/egress_exchange.h"
#include "net/egress_session.h"

namespace cordon::net {

// CONNECT becomes a tunnel; requests for http:// are passed on one by one, each judged anew.
class EgressHttp final : public EgressSession {
 public:
  EgressHttp(EgressCore& core, Socket client);
  bool idle() const override { return idle_; }

 protected:
  void Begin() override;
  void OnClose() override;

 private:
  static constexpr std::size_t kAhead = std::size_t{16} << 10;  // beyond a head

  void Rest();
  void BeginHead();
  void Look();
  void ReadSome();
  void OnHead(std::string_view head);
  void Connect(const HttpFields& fields);
  void Forward(HttpFields fields);
  void Dial(const EgressDial::Order& order, std::function<void(DialResult)> connected);
  void Exchange(DialResult result, HttpFields fields, ForwardTarget target);
  void Malformed(const HeadFault& fault);
  void Refuse(std::uint16_t status, std::string_view why);

  boost::beast::flat_buffer buffer_;
  std::optional<EgressExchange::RequestParser> parser_;
  std::shared_ptr<EgressDial> dial_;
  std::shared_ptr<EgressExchange> exchange_;
  std::size_t scanned_ = 0;  // of the buffer, without finding the end of a head
  bool idle_ = false;
};

}  // namespace cordon::net
