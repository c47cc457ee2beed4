#include "policy/network_rules.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/printable.h"
#include "base/try.h"
#include "policy/host_name.h"

namespace cordon::policy {
namespace {

constexpr std::size_t kMaxText = std::size_t{64} << 10;
constexpr std::string_view kAllow = "allow:";
constexpr std::string_view kLocalhost = "localhost";
constexpr std::uint16_t kDefaultPorts[] = {80, 443};
constexpr IpAddress kLoopback6 = {IpVersion::k6, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}};

Error BadRule(std::string_view entry, std::string detail) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "network";
  error.component = Printable(entry);
  error.detail = std::move(detail);
  return error;
}

std::string_view Trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// Digits only, without a sign or leading zeros.
template <typename Number>
std::optional<Number> ParseNumber(std::string_view text) {
  Number value = 0;
  if (text.empty() || (text.size() > 1 && text[0] == '0')) return std::nullopt;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Splits "host/bits:port"; the host of IPv6 is between brackets.
struct Pieces {
  std::string_view host;
  std::optional<std::string_view> bits;
  std::optional<std::string_view> port;
  bool brackets = false;
};

std::optional<Pieces> SplitEntry(std::string_view text) {
  Pieces pieces;
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    pieces.brackets = true;
    pieces.host = text.substr(1, end - 1);
    text.remove_prefix(end + 1);
  } else {
    const std::size_t end = std::min(text.find_first_of("/:"), text.size());
    pieces.host = text.substr(0, end);
    text.remove_prefix(end);
  }
  if (text.starts_with('/')) {
    const std::size_t end = std::min(text.find(':'), text.size());
    pieces.bits = text.substr(1, end - 1);
    text.remove_prefix(end);
  }
  if (text.starts_with(':')) {
    pieces.port = text.substr(1);
    text = {};
  }
  if (!text.empty()) return std::nullopt;
  return pieces;
}

std::string CanonicalText(const IpRange& range) {
  std::string text = AddressText(range.first);
  if (range.first.version == IpVersion::k6) text = "[" + text + "]";
  if (range.prefix < range.first.bits()) text += "/" + std::to_string(range.prefix);
  return text;
}

NetworkVerdict Refuse(NetworkRefusal refusal, std::string rule, std::string why) {
  return {refusal, std::move(rule), std::move(why)};
}

}  // namespace

std::vector<IpAddress> NetworkTarget::KnownAddresses() const {
  if (address) return {*address};
  if (name == kLocalhost) return {IpAddress::V4(127, 0, 0, 1), kLoopback6};
  return {};
}

bool NetworkRules::Entry::Names(std::string_view host) const {
  if (range) return false;
  if (!below) return host == name;
  return host.size() > name.size() + 1 && host.ends_with(name) &&
         host[host.size() - name.size() - 1] == '.';
}

bool NetworkRules::Entry::Names(const IpAddress& address) const {
  if (range) return range->Covers(address);
  return !below && name == kLocalhost &&
         (address == IpAddress::V4(127, 0, 0, 1) || address == kLoopback6);
}

bool NetworkRules::Entry::TakesPort(std::uint16_t wanted) const {
  if (port) return *port == wanted;
  return std::find(std::begin(kDefaultPorts), std::end(kDefaultPorts), wanted) !=
         std::end(kDefaultPorts);
}

Result<NetworkRules::Entry> NetworkRules::ParseEntry(std::string_view text) {
  const auto pieces = SplitEntry(text);
  if (text.empty() || !pieces) return BadRule(text, "this is neither a host nor a range");
  Entry entry;
  std::string_view host = pieces->host;
  if (!pieces->brackets && host.starts_with("*.")) {
    entry.below = true;
    host.remove_prefix(2);
  }
  const HostReading reading = ReadHost(host);
  if (const auto* fault = std::get_if<std::string_view>(&reading)) {
    return BadRule(text, std::string(*fault));
  }
  if (const auto* name = std::get_if<std::string>(&reading)) {
    if (pieces->brackets) return BadRule(text, "brackets are for IPv6 addresses");
    if (pieces->bits) return BadRule(text, "only addresses have ranges");
    entry.name = *name;
    entry.text = (entry.below ? "*." : "") + *name;
  } else {
    const IpAddress address = std::get<IpAddress>(reading);
    if (entry.below) return BadRule(text, "only names have names below them");
    if (pieces->brackets != (address.version == IpVersion::k6)) {
      return BadRule(text, "brackets are for IPv6 addresses");
    }
    entry.range = IpRange{address, address.bits()};
    if (pieces->bits) {
      const auto bits = ParseNumber<unsigned>(*pieces->bits);
      if (!bits || *bits > address.bits()) return BadRule(text, "this is no length of a range");
      entry.range->prefix = *bits;
      if (!entry.range->IsTidy()) return BadRule(text, "the address goes beyond its range");
    }
    entry.text = CanonicalText(*entry.range);
  }
  if (pieces->port) {
    entry.port = ParseNumber<std::uint16_t>(*pieces->port);
    if (!entry.port || *entry.port == 0) return BadRule(text, "this is no port");
    entry.text += ":" + std::to_string(*entry.port);
  }
  return entry;
}

Result<NetworkRules> NetworkRules::Parse(std::string_view text) {
  NetworkRules rules;
  text = Trimmed(text);
  if (text == "none") return rules;
  if (text == "full") {
    rules.mode_ = NetworkMode::kFull;
    return rules;
  }
  if (text.size() > kMaxText) return BadRule(text, "the list is too long");
  if (!text.starts_with(kAllow)) return BadRule(text, "the network is none, full or allow:LIST");
  rules.mode_ = NetworkMode::kAllowList;
  text.remove_prefix(kAllow.size());
  if (Trimmed(text).empty()) return rules;
  for (;;) {
    const std::size_t comma = text.find(',');
    TRY_ASSIGN(Entry entry, ParseEntry(Trimmed(text.substr(0, comma))));
    rules.entries_.push_back(std::move(entry));
    if (comma == std::string_view::npos) return rules;
    text.remove_prefix(comma + 1);
  }
}

template <typename Host>
NetworkVerdict NetworkRules::Find(const Host& host, std::uint16_t port) const {
  bool named = false;
  for (const Entry& entry : entries_) {
    if (!entry.Names(host)) continue;
    named = true;
    if (entry.TakesPort(port)) return {NetworkRefusal::kNone, entry.text, {}};
  }
  if (named)
    return Refuse(NetworkRefusal::kPort, "allow", "the host is allowed with other ports only");
  return Refuse(NetworkRefusal::kNotListed, "allow", "the host is not on the list of allowed ones");
}

NetworkTarget NetworkRules::Judge(std::string_view untrusted, std::uint16_t port) const {
  NetworkTarget target;
  target.port = port;
  const HostReading reading = ReadHost(untrusted);
  if (mode_ == NetworkMode::kNone) {
    target.verdict = Refuse(NetworkRefusal::kOff, "none", "there is no network");
  } else if (const auto* fault = std::get_if<std::string_view>(&reading)) {
    target.verdict = Refuse(NetworkRefusal::kMalformed, "host", std::string(*fault));
  } else if (port == 0) {
    target.verdict = Refuse(NetworkRefusal::kMalformed, "host", "there is no port 0");
  } else if (const auto* name = std::get_if<std::string>(&reading)) {
    target.name = *name;
    target.verdict = Find(std::string_view(*name), port);
  } else {
    target.address = std::get<IpAddress>(reading);
    target.verdict = Find(*target.address, port);
  }
  const bool understood = !target.name.empty() || target.address;
  if (mode_ == NetworkMode::kFull && understood) {
    target.verdict = {NetworkRefusal::kNone, "full", {}};
  }
  return target;
}

NetworkVerdict NetworkRules::JudgeAddress(const NetworkTarget& target, const IpAddress& address,
                                          std::span<const IpAddress> own) const {
  if (!target.verdict.allowed()) return target.verdict;
  if (mode_ == NetworkMode::kFull) return target.verdict;
  const AddressClass kind = ClassOf(address);
  const bool ours = std::find(own.begin(), own.end(), address) != own.end();
  if (kind == AddressClass::kPublic && !ours) return target.verdict;
  if (Find(address, target.port).allowed()) return target.verdict;
  const std::string what(ours ? "this machine's own address" : AddressClassName(kind));
  return Refuse(NetworkRefusal::kAddress, target.verdict.rule,
                "it is at " + what + ", which no rule names");
}

}  // namespace cordon::policy
