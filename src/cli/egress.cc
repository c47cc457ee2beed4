#include "cli/egress.h"

#include <stdexcept>
#include <utility>

#include "base/printable.h"
#include "base/try.h"
#include "cli/report.h"
#include "net/egress_proxy.h"
#include "policy/network_rules.h"

namespace cordon::cli {
namespace {

guard::Connection ConnectionOf(const net::EgressRequest& request) {
  guard::Connection connection;
  connection.host = request.host;
  connection.port = request.port;
  connection.address = request.address;
  connection.rule = request.rule;
  connection.decision = request.allowed ? guard::Connection::Decision::kAllowed
                                        : guard::Connection::Decision::kRefused;
  return connection;
}

guard::EgressStarter StarterFor(policy::NetworkRules rules) {
  return [rules = std::move(rules)](
             platform::UniqueFd http, platform::UniqueFd socks,
             const guard::ConnectionObserver& observer) -> Result<std::shared_ptr<void>> {
    net::EgressProxy::Parts parts;
    parts.http_listener = std::move(http);
    parts.socks_listener = std::move(socks);
    parts.rules = rules;
    parts.observer = [observer](const net::EgressRequest& request) {
      if (request.stage != net::EgressRequest::Stage::kDecided) return;
      // What cannot be recorded does not happen.
      if (const Status recorded = observer(ConnectionOf(request)); !recorded) {
        throw std::runtime_error(recorded.error().detail);
      }
    };
    TRY_ASSIGN(std::unique_ptr<net::EgressProxy> proxy, net::EgressProxy::Start(std::move(parts)));
    return std::shared_ptr<void>(std::move(proxy));
  };
}

}  // namespace

Result<CommandNetwork> ParseNetworkFlag(const std::optional<std::string>& text) {
  CommandNetwork result;
  auto rules = policy::NetworkRules::Parse(text.value_or("none"));
  if (!rules) {
    return UsageError("--net: " + Quoted(*text) + ": " + rules.error().detail +
                      "; use none, full or allow:HOST[:PORT],*.DOMAIN,...");
  }
  switch (rules->mode()) {
    case policy::NetworkMode::kNone: break;
    case policy::NetworkMode::kFull: result.network = sandbox::Network::kFull; break;
    case policy::NetworkMode::kAllowList:
      result.network = sandbox::Network::kProxied;
      result.egress = StarterFor(std::move(*rules));
      break;
  }
  return result;
}

}  // namespace cordon::cli
