// The only way out of a sandbox: a proxy that lets through what the rules name.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/result.h"
#include "platform/unique_fd.h"
#include "policy/network_rules.h"

namespace cordon::net {

enum class EgressProtocol { kConnect, kHttp, kSocks5 };
std::string_view EgressProtocolName(EgressProtocol protocol);  // "connect", "http", "socks5"

// What became of a request that was allowed.
enum class EgressEnd {
  kServed,       // connected; bytes tell how far it came
  kNotFound,     // the name has no address
  kUnreachable,  // no address took the connection
  kTimeout,
};
std::string_view EgressEndName(EgressEnd end);  // "served", "not_found", ...

struct EgressRequest {
  // kDecided: before anything is sent to the host. kEnded: once more for what was allowed.
  enum class Stage { kDecided, kEnded };
  Stage stage = Stage::kDecided;
  EgressProtocol protocol = EgressProtocol::kConnect;
  std::string host;  // as asked for, made printable; empty if it could not be told
  std::uint16_t port = 0;
  std::string address;  // that it stands for: at the end the one that was connected to
  bool allowed = false;
  std::string rule;  // that allows, or by which it is refused
  std::string why;   // of a refusal
  EgressEnd end = EgressEnd::kServed;
  std::uint64_t bytes_up = 0;    // to the host, after the proxy's own protocol
  std::uint64_t bytes_down = 0;  // to the client
};

// Runs in the proxy's thread, must not wait long. If it throws at kDecided, the request is
// refused: what cannot be recorded does not happen.
using EgressObserver = std::function<void(const EgressRequest& request)>;

// What the proxy asks of the machine; tests have their own.
struct EgressWorld {
  using Addresses = Result<std::vector<policy::IpAddress>>;
  // May wait, runs in threads that may outlive the proxy. An error: not found.
  std::function<Addresses(const std::string& name)> resolve;
  // Must not wait. An error: nothing is allowed.
  std::function<Addresses()> own_addresses;
};
EgressWorld SystemEgressWorld();

struct EgressLimits {
  std::size_t connections = 256;  // more wait to be accepted
  std::size_t head = std::size_t{64} << 10;
  std::size_t lookups = 16;  // at once; as many again as connections wait
  std::chrono::milliseconds head_time{10'000};
  std::chrono::milliseconds connect_time{10'000};  // for a lookup; and for all its addresses
  std::chrono::milliseconds keep_time{60'000};     // between two requests of one client
  std::chrono::milliseconds idle_time{600'000};    // of tunnels and replies, without a byte
};

// Guarantees: connects to nothing but addresses that the rules allowed, each name looked up
//   once per request; bounded memory whatever clients do; one client that is slow or
//   hostile holds up others only by taking up connections.
// Does not guarantee: anything about what goes through a tunnel (docs/network.md).
class EgressProxy {
 public:
  struct Parts {
    // TCP sockets that listen, perhaps in another network namespace; one may be missing.
    platform::UniqueFd http_listener;
    platform::UniqueFd socks_listener;
    policy::NetworkRules rules;
    EgressObserver observer;  // may be empty
    EgressWorld world = SystemEgressWorld();
    EgressLimits limits = {};
  };
  // Serves when it returns. Errors: kInvalidArguments (no listener), kIoError.
  static Result<std::unique_ptr<EgressProxy>> Start(Parts parts);
  virtual ~EgressProxy() = default;  // closes everything at once, waits for its thread
  virtual std::size_t connections() const = 0;
};

}  // namespace cordon::net
