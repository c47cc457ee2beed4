#include "platform/inside_sandbox.h"

namespace cordon::platform {
namespace {

Error NotHere() {
  Error error;
  error.code = ErrorCode::kUnsupported;
  error.detail = "Sandboxes are not supported on this system.";
  return error;
}

}  // namespace

Result<std::string> ReadProcFile(const std::string& /*path*/) { return NotHere(); }
Result<int> StartChild(const ChildTerms& /*terms*/) { return NotHere(); }
Result<PseudoTerminal> OpenInnerTerminal() { return NotHere(); }
void SendKeySignals(int /*terminal*/, const std::string& /*keys*/, int /*otherwise*/) {}
Status SignalNumbered(std::int64_t /*process*/, int /*signal*/) { return NotHere(); }
void NeverBlock(int /*descriptor*/) {}
void AwaitReady(std::vector<Readiness>& /*these*/, std::optional<std::int64_t> /*milliseconds*/) {}
Result<std::optional<std::string>> ReadNow(int /*descriptor*/, std::size_t /*at_most*/) {
  return NotHere();
}
Result<std::size_t> WriteNow(int /*descriptor*/, const char* /*bytes*/, std::size_t /*size*/) {
  return NotHere();
}
void EndSending(int /*socket*/) {}
void AppendToLog(const std::string& /*path*/, const std::string& /*bytes*/) {}
Confinement OwnConfinement() { return {}; }
std::uint64_t BytesBelow(const std::string& /*path*/) { return 0; }

}  // namespace cordon::platform
