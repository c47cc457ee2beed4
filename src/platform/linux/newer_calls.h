// Numbers and flags that Debian 12's headers lack; the same on every architecture.
#pragma once

#include <cstdint>

namespace cordon::platform {

inline constexpr int kCallFchmodat2 = 452;
inline constexpr int kCallSetxattrat = 463;
inline constexpr int kCallRemovexattrat = 466;
inline constexpr int kCallOpenTreeAttr = 467;
inline constexpr int kCallFileSetattr = 469;

inline constexpr std::uint64_t kListenerSyncWakeUp = 1;  // SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP

struct XattrArguments {  // struct xattr_args
  std::uint64_t value;
  std::uint32_t size;
  std::uint32_t flags;
};

}  // namespace cordon::platform
