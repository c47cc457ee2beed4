#include "cli/companion.h"

#include <vector>

#include "base/try.h"
#include "platform/host.h"
#include "sandbox/system_places.h"

namespace cordon::cli {

Result<std::string> FindCompanion(const std::string& name) {
  TRY_ASSIGN(const std::string own, platform::OwnProgram());
  const std::string directory = own.substr(0, own.rfind('/') + 1);
  const std::vector<std::string> found =
      sandbox::Existing({directory + name, directory + "../libexec/cordon/" + name});
  if (!found.empty()) return found.front();
  Error error;
  error.code = ErrorCode::kNotFound;
  error.op = "find program";
  error.detail = name + " is neither beside " + own + " nor in ../libexec/cordon";
  return error;
}

Result<std::string> FindLauncher() { return FindCompanion("cordon-launch"); }

}  // namespace cordon::cli
