// What a program of ours asks of the system that a sandbox has, be it Linux or one that
// pretends to be: nothing newer than such ones have, and nothing their filters refuse.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cordon/result.h"
#include "platform/pseudo_terminal.h"
#include "platform/unique_fd.h"

namespace cordon::platform {

// A whole file of /proc, 4 MiB at most.
Result<std::string> ReadProcFile(const std::string& path);

// Starts a program, looked for in PATH of `environment` if it has no slash, with exactly these
// streams, in a session of its own. Errors: what chdir or exec gave.
struct ChildTerms {
  std::vector<std::string> arguments;
  std::string directory;
  std::string mark;  // one more variable; "": none
  int input = -1, output = -1, errors = -1;
  int terminal = -1;  // set: instead of the three
};
Result<int> StartChild(const ChildTerms& terms);

// As OpenPseudoTerminal, also where there is no TIOCGPTPEER.
Result<PseudoTerminal> OpenInnerTerminal();

// What a terminal does with keys that mean signals, for one that does not: sends them to the
// program in front, or to the group `otherwise` where that cannot be told.
void SendKeySignals(int terminal, const std::string& keys, int otherwise);

Status SignalNumbered(std::int64_t process, int signal);
void NeverBlock(int descriptor);

// Waits like poll; which of them are ready, in their order.
struct Readiness {
  int descriptor = -1;                                            // negative: passed over
  enum class For { kRead, kWrite, kHangUp } wanted = For::kRead;  // kHangUp: both directions
  bool ready = false;
};
void AwaitReady(std::vector<Readiness>& these, std::optional<std::int64_t> milliseconds);

// At once; unset when there is nothing to read, or no room. Errors: those of the system.
Result<std::optional<std::string>> ReadNow(int descriptor, std::size_t at_most);  // "": the end
Result<std::size_t> WriteNow(int descriptor, const char* bytes, std::size_t size);
// No more will be written; what was may still arrive.
void EndSending(int socket);

// Adds to a file of which only the last part matters: when it has 64 KiB, it becomes PATH.old.
void AppendToLog(const std::string& path, const std::string& bytes);

// Of this process, as the system tells it.
struct Confinement {
  std::uint32_t user = 0;
  bool no_new_privileges = false;
  bool read_only_root = false;
  std::string kernel_log;  // its beginning; "" when it may not be read
};
Confinement OwnConfinement();

// Bytes that everything below `path` takes on its disk, as far as can be looked at quickly.
std::uint64_t BytesBelow(const std::string& path);

}  // namespace cordon::platform
