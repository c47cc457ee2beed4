#include "platform/name_rules.h"

#include <linux/fs.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/statfs.h>

#include <cerrno>

#include "platform/open.h"

namespace cordon::platform {
namespace {

using path::NameRules;

// Numbers that Debian 12's <linux/magic.h> lacks.
constexpr long kNtfs3Magic = 0x7366746e;
constexpr long kNtfsMagic = 0x5346544e;
constexpr long kHfsMagic = 0x4244;
constexpr long kHfsPlusMagic = 0x482b;
constexpr int kCasefoldFlag = 0x40000000;

// Directories of these file systems may each be made to fold case (chattr +F).
NameRules FoldingFlagOf(int directory) {
  auto readable = ReopenDirectory(directory);
  if (!readable) return NameRules::kAll;
  int flags = 0;  // the kernel writes an int, whatever the request's name says
  if (::ioctl(readable->get(), FS_IOC_GETFLAGS, &flags) != 0) {
    // No flags at all means no folding flag; anything else is unknown.
    return errno == ENOTTY || errno == EOPNOTSUPP ? NameRules::kExact : NameRules::kAll;
  }
  return (flags & kCasefoldFlag) != 0 ? NameRules::kLinuxFold : NameRules::kExact;
}

}  // namespace

path::NameRules NameRulesOf(int directory) {
  struct statfs info;
  if (::fstatfs(directory, &info) != 0) return NameRules::kAll;
  switch (static_cast<unsigned long>(info.f_type)) {
    case EXT4_SUPER_MAGIC:
    case F2FS_SUPER_MAGIC:
    case TMPFS_MAGIC:
    case OVERLAYFS_SUPER_MAGIC:
    case BTRFS_SUPER_MAGIC: return FoldingFlagOf(directory);
    case XFS_SUPER_MAGIC:
    case RAMFS_MAGIC:
    case SQUASHFS_MAGIC:
    case EROFS_SUPER_MAGIC_V1:
    case PROC_SUPER_MAGIC:
    case SYSFS_MAGIC: return NameRules::kExact;
    case MSDOS_SUPER_MAGIC:
    case EXFAT_SUPER_MAGIC:
    case kNtfsMagic:
    case kNtfs3Magic: return NameRules::kNtfs | NameRules::kCaseFold;
    case kHfsMagic:
    case kHfsPlusMagic: return NameRules::kHfs | NameRules::kCaseFold;
    default: return NameRules::kAll;  // network and FUSE: the far side decides
  }
}

}  // namespace cordon::platform
