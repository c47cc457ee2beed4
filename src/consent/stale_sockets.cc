#include "consent/stale_sockets.h"

#include <boost/asio/io_context.hpp>

#include "consent/connect_local.h"

namespace cordon::consent {

void RemoveStaleSockets(const ApprovalDirectory& directory) {
  directory.RemoveAbandoned();
  const Result<std::vector<std::string>> names = directory.Sockets();
  if (!names) return;
  boost::asio::io_context io;
  for (const std::string& name : *names) {
    const Result<std::string> path = directory.PathOf(name);
    if (!path) continue;
    const auto connected = ConnectLocal(io, *path);
    if (!connected && IsDead(connected.error())) static_cast<void>(directory.Remove(name));
  }
}

}  // namespace cordon::consent
