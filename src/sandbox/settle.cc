#include "sandbox/settle.h"

#include "base/try.h"
#include "platform/pipe.h"
#include "platform/spawn.h"

namespace cordon::sandbox {

Status SettleLater(const std::string& launcher, const platform::UniqueFd& file) {
  // Whoever waits for the end of this process's output does not wait for that, too.
  TRY_ASSIGN(const platform::UniqueFd nowhere, platform::OpenNullDevice());
  platform::SpawnPlan plan;
  plan.program = launcher;
  plan.arguments = {"cordon-launch", std::string(kSettleArgument)};
  plan.descriptors = {{file.get(), kSettledDescriptor}, {nowhere.get(), 1}, {nowhere.get(), 2}};
  TRY_ASSIGN(platform::SpawnedProcess settler, platform::SpawnedProcess::Start(plan));
  settler.Leave();
  return {};
}

}  // namespace cordon::sandbox
