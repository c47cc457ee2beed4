#include "provision/disk_homes.h"

#include "base/try.h"
#include "platform/open.h"
#include "platform/unique_fd.h"

namespace cordon::provision {
namespace {

using platform::UniqueFd;

Result<UniqueFd> Home(int homes, const SandboxId& id) {
  return platform::OpenEntry(homes, id.text().c_str(), platform::OpenIntent::kListDirectory);
}

}  // namespace

DiskWatch::Hands HandsOnHomes(int homes) {
  DiskWatch::Hands hands;
  hands.room = [homes] { return platform::RoomOfDisk(homes); };
  hands.measure = [homes](const SandboxId& id, std::uint64_t most_files) -> Result<TreeUse> {
    TRY_ASSIGN(const UniqueFd home, Home(homes, id));
    return MeasureTree(home.get(), most_files);
  };
  hands.by_quota = [homes](const SandboxId& id, const TreeUse& most) -> Result<TreeUse> {
    TRY_ASSIGN(const UniqueFd home, Home(homes, id));
    return UseByQuota(home.get(), most);
  };
  return hands;
}

DiskHold HoldOfHome(int homes, const SandboxId& id, std::uint64_t disk, QuotaEscape escape) {
  if (escape == QuotaEscape::kPossible) return DiskHold::kWatched;
  const auto home = Home(homes, id);
  return home && UseByQuota(home->get(), MostOf(disk)) ? DiskHold::kQuota : DiskHold::kWatched;
}

}  // namespace cordon::provision
