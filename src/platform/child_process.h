// Copies of this process, and what becomes of them. For single-threaded programs only: a
// copy has one thread, whatever locks the others held.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "cordon/result.h"
#include "platform/namespaces.h"
#include "platform/unique_fd.h"

namespace cordon::platform {

using ProcessId = std::int64_t;

struct Child {
  ProcessId process = 0;
  UniqueFd watch;  // readable when it has ended
};

// Runs `work` in a copy of this process, which is the first one of each new namespace; its
// result is the copy's exit status. Errors: those of clone; then nothing was started.
Result<Child> RunInCopy(const NamespaceSet& fresh, const std::function<int()>& work);

struct Exit {
  ProcessId process = 0;
  int status = 0;  // of exit
  int signal = 0;  // that ended it; 0: none
};
// Waits for this child.
Result<Exit> WaitFor(ProcessId process);
// The next child that has ended, if any has. Errors: kNotFound when there are no children.
Result<std::optional<Exit>> ReapNext();

enum class EndSignal { kTerminate, kKill };
void SignalProcess(ProcessId process, EndSignal signal);
// Every process of this PID namespace but this one, which must be its first.
void SignalNamespace(EndSignal signal);
// The same, for standing still and going on: none of them runs while this is done, so none
// escapes.
enum class HoldSignal { kStop, kContinue };
void HoldNamespace(HoldSignal signal);
// A child that somebody has stopped since the last call, if any.
std::optional<ProcessId> NextStopped();
// Any signal, by its number. Errors: kNotFound when there is no such process; kInvalidArguments
// for what is no signal.
Status SignalByNumber(ProcessId process, int number);
// Every process that descends from this one, as far as they can be seen; and how many.
std::size_t SignalDescendants(EndSignal signal);
// Kills descendants until none is left; this process must be where orphans go.
void EndDescendants();

// Orphaned descendants become children of this process.
Status AdoptOrphans();
// The signal that this process gets when the one that started it dies; survives no change
// of credentials, so ask again after one.
Status DieWithParent(EndSignal signal);

// Whether processes of the same user may look into this one; programs it starts are as usual.
enum class Traceable { kNo, kYes };
Status SetTraceable(Traceable traceable);

// This process is in a session and a group of its own, with no terminal.
Status BeginSession();
// What the allocator keeps is the system's again.
void GiveBackMemory();

[[noreturn]] void ExitAtOnce(int status);

struct ChildUsage {
  std::uint64_t cpu_us = 0;       // of all children that were waited for, and theirs
  std::uint64_t peak_memory = 0;  // bytes, of the largest of them
};
ChildUsage UsageOfEnded();

}  // namespace cordon::platform
