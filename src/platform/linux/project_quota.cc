#include "platform/project_quota.h"

#include <linux/dqblk_xfs.h>
#include <linux/fs.h>
#include <linux/quota.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "base/try.h"
#include "platform/linux/error_from_errno.h"

namespace cordon::platform {
namespace {

constexpr std::uint64_t kBlock = QIF_DQBLKSIZE;  // of limits, whatever the file system's own

// By descriptor, so that no device has to be found and named. Linux 5.14.
Status Quota(int directory, unsigned command, std::uint32_t project, void* terms) {
  if (::syscall(SYS_quotactl_fd, directory, QCMD(command, PRJQUOTA), project, terms) == 0) {
    return {};
  }
  return ErrorFromErrno("quotactl_fd", errno);
}

}  // namespace

Status CheckProjectQuota(int directory) {
  fs_quota_statv state = {};
  state.qs_version = FS_QSTATV_VERSION1;
  TRY(Quota(directory, Q_XGETQSTATV, 0, &state));
  // Where it counts but lets everything pass, there is no limit.
  if ((state.qs_flags & FS_QUOTA_PDQ_ENFD) == 0) {
    return ErrorFromErrno("quotactl_fd", EOPNOTSUPP);
  }
  if_dqblk told = {};
  return Quota(directory, Q_GETQUOTA, 0, &told);
}

Result<std::uint32_t> ProjectOf(int directory) {
  fsxattr own = {};
  if (::ioctl(directory, FS_IOC_FSGETXATTR, &own) != 0) {
    return ErrorFromErrno("ioctl", errno);
  }
  if ((own.fsx_xflags & FS_XFLAG_PROJINHERIT) == 0) return std::uint32_t{0};
  return own.fsx_projid;
}

Status SetProject(int directory, std::uint32_t project) {
  fsxattr own = {};
  if (::ioctl(directory, FS_IOC_FSGETXATTR, &own) != 0) return ErrorFromErrno("ioctl", errno);
  own.fsx_projid = project;
  own.fsx_xflags |= FS_XFLAG_PROJINHERIT;
  if (::ioctl(directory, FS_IOC_FSSETXATTR, &own) != 0) return ErrorFromErrno("ioctl", errno);
  return {};
}

Result<ProjectUse> UseOfProject(int directory, std::uint32_t project) {
  if_dqblk told = {};
  TRY(Quota(directory, Q_GETQUOTA, project, &told));
  return ProjectUse{told.dqb_curspace, told.dqb_bhardlimit * kBlock, told.dqb_curinodes,
                    told.dqb_ihardlimit};
}

Status LimitProject(int directory, std::uint32_t project, std::uint64_t bytes,
                    std::uint64_t files) {
  if_dqblk limits = {};
  limits.dqb_bhardlimit = bytes / kBlock;
  limits.dqb_ihardlimit = files;
  limits.dqb_valid = QIF_LIMITS;
  return Quota(directory, Q_SETQUOTA, project, &limits);
}

}  // namespace cordon::platform
