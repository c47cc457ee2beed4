#include "launch/program.h"

namespace cordon::launch {

using platform::NotStarted;
using sandbox::Layer;
using sandbox::LayerSet;
using sandbox::Spec;

namespace {

// Processes of the sandbox that are not the command's, beside a few on their way out.
constexpr std::uint64_t kOtherProcesses = 8;

}  // namespace

platform::ResourceLimits LimitsOfOne(const Spec& spec, const LayerSet& layers) {
  platform::ResourceLimits limits;
  limits.open_files = spec.limits.open_files;
  limits.file_size = spec.limits.file_size;
  limits.cpu_seconds = static_cast<std::uint64_t>(spec.limits.cpu.count());
  // Elsewhere it would count what the user runs outside as well.
  if (spec.limits.processes != 0 && layers.Has(Layer::kUserNamespace)) {
    limits.processes = spec.limits.processes + kOtherProcesses;
  }
  return limits;
}

Setback SetbackOf(const NotStarted& why, const LayerSet& layers, const std::string& program) {
  Setback setback;
  setback.failed.os_errno = why.os_errno;
  switch (why.step) {
    case NotStarted::Step::kProcess: setback.failed.what = "clone"; break;
    case NotStarted::Step::kLine: setback.failed.what = "limits"; break;
    case NotStarted::Step::kFilter:
      setback.failed.what = "seccomp";
      setback.layer = layers.Has(Layer::kSupervisor) ? Layer::kSupervisor : Layer::kSyscallFilter;
      break;
    case NotStarted::Step::kProgram:
      setback.failed.stage = sandbox::Failed::Stage::kProgram;
      setback.failed.what = program;
      break;
  }
  return setback;
}

}  // namespace cordon::launch
