// From a host that somebody asks for to a connection that the rules allow.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "net/egress_core.h"
#include "net/egress_record.h"

namespace cordon::net {

struct DialResult {
  enum class Kind {
    kConnected,
    kRefused,  // by the rules; the record tells which
    kNotFound,
    kUnreachable,  // with the system's word for it
    kTimeout,
    kBusy,
  };
  Kind kind = Kind::kBusy;
  boost::system::error_code failed = {};
  boost::asio::ip::tcp::socket socket;  // open if connected
  std::shared_ptr<EgressRecord> record;
};

// Judges the host, looks it up once, judges every address, and connects to one of those
// that passed: no name is looked at twice, so it cannot change in between.
class EgressDial : public std::enable_shared_from_this<EgressDial> {
 public:
  using Done = std::function<void(DialResult result)>;
  struct Order {
    EgressProtocol protocol;
    std::string host;  // untrusted; IPv6 without brackets
    std::uint16_t port;
  };
  EgressDial(EgressCore& core, const Order& order);

  // `done` runs once, perhaps before this returns.
  void Begin(Done done);
  void Cancel();  // nothing is told after it

 private:
  void Judge(const std::vector<policy::IpAddress>& found);
  void TryNext();
  void OnConnect(const boost::system::error_code& failed);
  void Arm(std::chrono::milliseconds time);
  void OnTime();
  void Finish(DialResult::Kind kind, boost::system::error_code failed = {});

  EgressCore& core_;
  Order order_;
  policy::NetworkTarget target_;
  std::shared_ptr<EgressRecord> record_;
  Done done_;
  boost::asio::steady_timer timer_;
  boost::asio::steady_timer::time_point deadline_;
  boost::asio::ip::tcp::socket socket_;
  std::vector<policy::IpAddress> candidates_;
  std::size_t next_ = 0;
  unsigned attempt_ = 0;  // so that what comes late for one is not taken for another
  boost::system::error_code last_;
};

}  // namespace cordon::net
