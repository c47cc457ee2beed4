#include "consent/connect_local.h"

#include <utility>

#include "base/try.h"
#include "platform/local_socket.h"

namespace cordon::consent {
namespace {

namespace asio = boost::asio;
using Protocol = asio::local::stream_protocol;

constexpr std::string_view kRefused = "refused";

Error NotConnected(std::string rule, std::string detail) {
  Error error;
  error.code = ErrorCode::kConsentUnavailable;
  error.op = "connect";
  error.rule = std::move(rule);
  error.detail = std::move(detail);
  return error;
}

}  // namespace

Result<Protocol::socket> ConnectLocal(asio::io_context& io, const std::string& path) {
  TRY_ASSIGN(platform::UniqueFd opened, platform::OpenLocalSocket());
  Protocol::socket socket(io);
  boost::system::error_code failed;
  socket.assign(Protocol(), opened.get(), failed);
  if (failed) return NotConnected("", failed.message());
  static_cast<void>(opened.release());
  socket.non_blocking(true, failed);  // else the library would wait for a full queue
  if (!failed) socket.connect(Protocol::endpoint(path), failed);
  if (failed) {
    const bool refused = failed == asio::error::connection_refused;
    return NotConnected(refused ? std::string(kRefused) : "", failed.message());
  }
  TRY_ASSIGN(const std::uint32_t theirs, platform::PeerUser(socket.native_handle()));
  TRY_ASSIGN(const std::uint32_t ours, platform::OwnUser());
  if (theirs != ours) return NotConnected("", "another user listens there");
  return socket;
}

bool IsDead(const Error& error) { return error.rule == kRefused; }

}  // namespace cordon::consent
