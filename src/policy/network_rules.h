// Which hosts commands may reach: `none`, `full`, or `allow:` and a list.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/result.h"
#include "policy/ip_address.h"

namespace cordon::policy {

enum class NetworkMode { kNone, kAllowList, kFull };

// Why a host is out of reach; kNone: it is not.
enum class NetworkRefusal {
  kNone,
  kOff,        // there is no network
  kMalformed,  // neither a name nor an address
  kNotListed,
  kPort,     // listed, with other ports
  kAddress,  // listed, but it is at an address that nobody named
};

struct NetworkVerdict {
  NetworkRefusal refusal = NetworkRefusal::kOff;
  std::string rule;  // the entry that allows, as "example.com:443"; or "full", "none", "allow"
  std::string why;   // of a refusal, one sentence; nothing of it is untrusted

  bool allowed() const { return refusal == NetworkRefusal::kNone; }
};

// Who is meant by a host that may be reached: an address, or a name to be looked up, whose
// addresses are then judged one by one.
struct NetworkTarget {
  NetworkVerdict verdict;
  std::string name = {};  // in lower case, without the final dot
  std::optional<IpAddress> address = std::nullopt;
  std::uint16_t port = 0;

  // Known without asking anybody: a literal address; `localhost` is 127.0.0.1 and ::1.
  std::vector<IpAddress> KnownAddresses() const;
};

// Guarantees: pure; nothing is looked up. Everything that is not understood is refused.
// Does not guarantee: that a name leads where its owner wants; see docs/network.md.
// Thread safety: const methods may run concurrently.
class NetworkRules {
 public:
  NetworkRules() = default;  // none

  // `none`, `full`, `allow:` and entries between commas: host, *.domain, IPv4, [IPv6],
  // IPv4/bits, [IPv6]/bits; each perhaps with :port, without it 80 and 443. `*.a.b` covers
  // x.a.b and x.y.a.b, but not a.b. An empty list allows nothing.
  // Errors: kInvalidArguments, with the entry at fault as `component`.
  static Result<NetworkRules> Parse(std::string_view text);

  NetworkMode mode() const { return mode_; }
  // `untrusted` as a client spells it, IPv6 without brackets.
  NetworkTarget Judge(std::string_view untrusted, std::uint16_t port) const;
  // One of the addresses of an allowed target. Whatever is not public, and `own` (those of
  // this machine), needs an entry that names it: an address, a range, or `localhost` for
  // 127.0.0.1 and ::1.
  NetworkVerdict JudgeAddress(const NetworkTarget& target, const IpAddress& address,
                              std::span<const IpAddress> own) const;

 private:
  struct Entry {
    std::string text;       // canonical
    std::string name = {};  // exact, or what follows "*."
    std::optional<IpRange> range = std::nullopt;
    bool below = false;  // "*."
    std::optional<std::uint16_t> port = std::nullopt;

    bool Names(std::string_view host) const;
    bool Names(const IpAddress& address) const;
    bool TakesPort(std::uint16_t wanted) const;
  };
  static Result<Entry> ParseEntry(std::string_view text);
  // The verdict over what an entry names.
  template <typename Host>
  NetworkVerdict Find(const Host& host, std::uint16_t port) const;

  NetworkMode mode_ = NetworkMode::kNone;
  std::vector<Entry> entries_;
};

}  // namespace cordon::policy
