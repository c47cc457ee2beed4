// The limit on disks, for the directories DIRECTORY/ID that drivers keep on the host.
#pragma once

#include "base/sandbox_id.h"
#include "provision/disk_watch.h"

namespace cordon::provision {

// Those that need no driver: room, measure and by_quota. `homes` must outlive them.
DiskWatch::Hands HandsOnHomes(int homes);

// Who can get around a quota: a program that may give its files to another project, as every owner
// of a file may who is in no user namespace of its own.
enum class QuotaEscape { kImpossible, kPossible };
// What really holds one, read back.
DiskHold HoldOfHome(int homes, const SandboxId& id, std::uint64_t disk, QuotaEscape escape);

}  // namespace cordon::provision
