#include "platform/socket_pair.h"

namespace cordon::platform {
namespace {

Error NotHere() {
  Error error;
  error.code = ErrorCode::kUnsupported;
  error.detail = "Sandboxes are not supported on this system.";
  return error;
}

}  // namespace

Result<SocketPair> MakeSocketPair() { return NotHere(); }
Result<std::size_t> SendNow(int /*socket*/, std::string_view /*bytes*/) { return NotHere(); }
Status SendAll(int /*socket*/, std::string_view /*bytes*/, int /*stall_ms*/) { return NotHere(); }
void HangUp(int /*socket*/) {}

}  // namespace cordon::platform
