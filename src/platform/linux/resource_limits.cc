#include "platform/resource_limits.h"

#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "platform/linux/error_from_errno.h"

namespace cordon::platform {
namespace {

int Lower(__rlimit_resource resource, rlim_t soft, rlim_t hard) {
  rlimit limit = {};
  if (::getrlimit(resource, &limit) != 0) return errno;
  limit.rlim_max = std::min(limit.rlim_max, hard);
  limit.rlim_cur = std::min({limit.rlim_cur, soft, limit.rlim_max});
  return ::setrlimit(resource, &limit) == 0 ? 0 : errno;
}

int LowerIfAsked(__rlimit_resource resource, std::uint64_t limit, rlim_t slack) {
  return limit == 0 ? 0 : Lower(resource, limit, limit + slack);
}

}  // namespace

Status SetResourceLimits(const ResourceLimits& limits) {
  int failed = Lower(RLIMIT_CORE, 0, 0);
  if (failed == 0) failed = LowerIfAsked(RLIMIT_NPROC, limits.processes, 0);
  if (failed == 0) failed = LowerIfAsked(RLIMIT_NOFILE, limits.open_files, 0);
  if (failed == 0) failed = LowerIfAsked(RLIMIT_FSIZE, limits.file_size, 0);
  if (failed == 0) failed = LowerIfAsked(RLIMIT_CPU, limits.cpu_seconds, 1);
  if (failed != 0) return ErrorFromErrno("setrlimit", failed);
  return {};
}

Status RaiseOpenFiles() {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return ErrorFromErrno("getrlimit", errno);
  limit.rlim_cur = limit.rlim_max;
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) return ErrorFromErrno("setrlimit", errno);
  return {};
}

bool IsCpuLimitSignal(int signal) { return signal == SIGXCPU; }
bool IsFileSizeLimitSignal(int signal) { return signal == SIGXFSZ; }

}  // namespace cordon::platform
