#include "consent/stale_sockets.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>

namespace cordon::consent {
namespace {

namespace asio = boost::asio;
using Protocol = asio::local::stream_protocol;

// Only a refusal says so: a full queue or a missing right does not.
bool IsDead(asio::io_context& io, const std::string& path) {
  boost::system::error_code failed;
  Protocol::socket socket(io);
  socket.open(Protocol(), failed);
  if (failed) return false;
  socket.non_blocking(true, failed);
  if (failed) return false;
  socket.connect(Protocol::endpoint(path), failed);
  return failed == asio::error::connection_refused;
}

}  // namespace

void RemoveStaleSockets(const ApprovalDirectory& directory) {
  directory.RemoveAbandoned();
  const Result<std::vector<std::string>> names = directory.Sockets();
  if (!names) return;
  asio::io_context io;
  for (const std::string& name : *names) {
    const Result<std::string> path = directory.PathOf(name);
    if (path && IsDead(io, *path)) static_cast<void>(directory.Remove(name));
  }
}

}  // namespace cordon::consent
