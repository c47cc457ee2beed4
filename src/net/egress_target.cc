#include "net/egress_target.h"

#include <algorithm>
#include <charconv>

#include "net/ascii.h"
#include "policy/host_name.h"

namespace cordon::net {
namespace {

constexpr std::string_view kScheme = "http://";
constexpr std::uint16_t kHttpPort = 80;

std::optional<std::uint16_t> ParsePort(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (failed != std::errc() || end != text.data() + text.size() || port == 0) return std::nullopt;
  return port;
}

bool SameHost(const std::string& a, const std::string& b) {
  if (SameIgnoringCase(a, b)) return true;
  const policy::HostReading first = policy::ReadHost(a);
  return !std::holds_alternative<std::string_view>(first) && first == policy::ReadHost(b);
}

constexpr HeadFault kOtherHost{400, "the Host field is not the host that is asked for"};

}  // namespace

std::optional<Authority> ParseAuthority(std::string_view text) {
  Authority authority;
  if (text.find('@') != std::string_view::npos) return std::nullopt;
  std::size_t end = 0;
  if (text.starts_with('[')) {
    end = text.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    authority.host = std::string(text.substr(1, end - 1));
    if (!policy::ParseIpv6(authority.host)) return std::nullopt;
    ++end;
  } else {
    end = std::min(text.find(':'), text.size());
    authority.host = std::string(text.substr(0, end));
  }
  if (authority.host.empty()) return std::nullopt;
  text.remove_prefix(end);
  if (text.empty()) return authority;
  if (!text.starts_with(':')) return std::nullopt;
  authority.port = ParsePort(text.substr(1));
  if (!authority.port) return std::nullopt;
  return authority;
}

std::optional<HeadFault> CheckLines(std::string_view head) {
  for (std::size_t i = 0; i < head.size(); ++i) {
    if (head[i] == '\0') return HeadFault{400, "the head has a NUL"};
    if (head[i] == '\n' && (i == 0 || head[i - 1] != '\r')) {
      return HeadFault{400, "a line of the head ends with LF alone"};
    }
    if (head[i] != '\r') continue;
    if (i + 1 == head.size() || head[i + 1] != '\n') {
      return HeadFault{400, "the head has a CR alone"};
    }
    const bool continued = i + 2 < head.size() && (head[i + 2] == ' ' || head[i + 2] == '\t');
    if (continued) return HeadFault{400, "a line of the head continues another"};
  }
  return std::nullopt;
}

std::variant<Authority, HeadFault> ConnectTarget(std::string_view target,
                                                 const HttpFields& fields) {
  const auto authority = ParseAuthority(target);
  if (!authority || !authority->port) return HeadFault{400, "CONNECT needs host:port"};
  if (fields.Find("Transfer-Encoding") || fields.Find("Content-Length").value_or("0") != "0") {
    return HeadFault{400, "CONNECT has no body"};
  }
  const std::size_t hosts = fields.Count("Host");
  if (hosts > 1) return HeadFault{400, "there must be one Host"};
  if (hosts == 0) return *authority;  // some clients leave it out
  const auto host = ParseAuthority(*fields.Find("Host"));
  if (!host || !SameHost(host->host, authority->host) ||
      host->port.value_or(*authority->port) != *authority->port) {
    return kOtherHost;
  }
  return *authority;
}

std::variant<ForwardTarget, HeadFault> AbsoluteTarget(std::string_view target,
                                                      const HttpFields& fields) {
  if (!SameIgnoringCase(target.substr(0, kScheme.size()), kScheme)) {
    return HeadFault{400, "a proxy takes CONNECT, or http:// and a host"};
  }
  target.remove_prefix(kScheme.size());
  if (target.find('#') != std::string_view::npos) return HeadFault{400, "a target has no fragment"};
  const std::size_t end = std::min(target.find_first_of("/?"), target.size());
  ForwardTarget found;
  found.authority = std::string(target.substr(0, end));
  found.path = std::string(target.substr(end));
  if (!found.path.starts_with('/')) found.path.insert(0, "/");
  const auto authority = ParseAuthority(found.authority);
  if (!authority) return HeadFault{400, "the target has no host that could be read"};
  found.host = authority->host;
  found.port = authority->port.value_or(kHttpPort);
  if (const auto field = fields.Find("Host")) {
    const auto host = ParseAuthority(*field);
    if (!host || !SameHost(host->host, found.host) ||
        host->port.value_or(kHttpPort) != found.port) {
      return kOtherHost;
    }
  }
  return found;
}

}  // namespace cordon::net
