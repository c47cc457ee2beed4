#include "warden/warden.h"

namespace cordon::warden {

Result<std::unique_ptr<Warden>> Warden::Make(const sandbox::Spec& /*spec*/,
                                             platform::UniqueFd /*listener*/,
                                             Reporter& /*reporter*/) {
  Error error;
  error.code = ErrorCode::kUnsupported;
  error.op = "supervise";
  return error;
}
int Warden::descriptor() const { return -1; }
void Warden::Serve() {}
void Warden::Answered(const sandbox::Answer& /*answer*/, platform::UniqueFd /*granted*/) {}
void Warden::Finish() {}

}  // namespace cordon::warden
