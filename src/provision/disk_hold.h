// A sandbox's limit on what it keeps on the host's disk: how much it is, and what of it the file
// system itself holds.
#pragma once

#include <cstdint>

#include "cordon/result.h"
#include "provision/driver.h"
#include "provision/measure_tree.h"

namespace cordon::provision {

// For Resources that name none.
inline constexpr std::uint64_t kUsualDisk = std::uint64_t{10} << 30;

std::uint64_t DiskOf(const Resources& resources);

// Files cost, too, when they are empty.
TreeUse MostOf(std::uint64_t disk);

// Whether `use` has more of anything than `bound`.
bool IsBeyond(const TreeUse& use, const TreeUse& bound);

// Errors: kLimitExceeded, with the rule "disk".
Error NoRoom();

// A quota of the file system for a sandbox's directory, which is empty yet. Whoever is killed in
// between leaves no limit behind that is not found by way of the directory.
// Errors: those of platform::CheckProjectQuota where there is none to be had.
Status SetDiskQuota(int directory, const TreeUse& most);
// For what of it is not the sandbox's own.
void ExemptFromQuota(int directory);
// Before the directory is removed. No error where there is none.
Status ClearDiskQuota(int directory);
// What is counted, if exactly these limits are really held. Errors: as above; kNotFound.
Result<TreeUse> UseByQuota(int directory, const TreeUse& most);

}  // namespace cordon::provision
