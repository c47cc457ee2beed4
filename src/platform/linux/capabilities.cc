#include "platform/capabilities.h"

#include <linux/capability.h>
#include <linux/securebits.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "platform/linux/error_from_errno.h"

namespace cordon::platform {
namespace {

constexpr int kMostCapabilities = 64;
constexpr unsigned long kSecureBits =
    SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP | SECBIT_NO_SETUID_FIXUP_LOCKED |
    SECBIT_KEEP_CAPS_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED;

// Who holds no CAP_SETPCAP can do neither, and needs neither after ForbidNewPrivileges.
Status KeepFromRegaining() {
  for (int capability = 0; capability < kMostCapabilities; ++capability) {
    if (::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0) continue;
    if (errno == EINVAL) break;  // beyond the kernel's last
    if (errno == EPERM && ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1) return {};
    return ErrorFromErrno("prctl", errno);
  }
  if (::prctl(PR_SET_SECUREBITS, kSecureBits, 0, 0, 0) != 0) return ErrorFromErrno("prctl", errno);
  return {};
}

}  // namespace

Status ForbidNewPrivileges() {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return ErrorFromErrno("prctl", errno);
  return {};
}

Status DropCapabilities() {
  if (Status kept = KeepFromRegaining(); !kept) return kept;
  if (::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0 && errno != EINVAL) {
    return ErrorFromErrno("prctl", errno);
  }
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> none = {};
  if (::syscall(SYS_capset, &header, none.data()) != 0) return ErrorFromErrno("capset", errno);
  return {};
}

}  // namespace cordon::platform
