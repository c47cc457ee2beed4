// What a supervisor learns of a process that waits for it. Everything may change or go as
// soon as the process does not wait: ask SyscallListener::Waits afterwards.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "cordon/result.h"
#include "platform/unique_fd.h"

namespace cordon::platform {

// Answers are the kernel's own: 0 or a count, or -errno.
// All bytes, or -EFAULT.
int ReadMemory(int thread, std::uint64_t address, std::span<char> into);
// A text up to its NUL, read once, shorter than PATH_MAX; -EFAULT, -ENAMETOOLONG.
int ReadText(int thread, std::uint64_t address, std::string& text);

struct ProcessFacts {
  std::string name;      // as the kernel calls the thread
  int thread_group = 0;  //
  std::uint32_t umask = 0;
};

// /proc, held open.
// Thread safety: const methods may run concurrently.
class OtherProcesses {
 public:
  static Result<OtherProcesses> Open();

  // References: the object, not opened. An invalid one: it is not there, or not to be had.
  UniqueFd WorkingDirectory(int thread) const;
  UniqueFd Descriptor(int thread, int number) const;
  // A second descriptor of the same open file, with its offset and flags.
  UniqueFd Duplicate(int thread, int number) const;
  // Nothing: it has gone.
  std::optional<ProcessFacts> Facts(int thread) const;
  // A descriptor, of its own or of the private terminals, that is its controlling terminal;
  // shared with it if `shared`. Invalid: it has none, or it is not to be had.
  struct Terminal {
    UniqueFd descriptor;  // open, if shared; else a reference
    bool shared = false;
  };
  Terminal ControllingTerminal(int thread) const;

 private:
  explicit OtherProcesses(UniqueFd proc) : proc_(std::move(proc)) {}
  UniqueFd proc_;
};

}  // namespace cordon::platform
