// Limits of one process, inherited by what it starts.
#pragma once

#include <cstdint>

#include "cordon/result.h"

namespace cordon::platform {

// 0 leaves a limit as it is; one that stands lower already stays.
struct ResourceLimits {
  std::uint64_t processes = 0;  // of this user in this user namespace
  std::uint64_t open_files = 0;
  std::uint64_t file_size = 0;    // bytes; more is a signal
  std::uint64_t cpu_seconds = 0;  // more is a signal, and a second later the end
};

// Never dumps core from now on, either. Allocates nothing.
Status SetResourceLimits(const ResourceLimits& limits);

// As many open files as this process may have: who starts it often gives it 1024, for programs
// that cannot count further, and lets it ask for more.
Status RaiseOpenFiles();

// Signals that tell which limit was hit.
bool IsCpuLimitSignal(int signal);
bool IsFileSizeLimitSignal(int signal);

}  // namespace cordon::platform
