// What makes sandboxes, each in its own way: local, Docker with runc or gVisor. All of them
// pass one contract test (tests/provision/contract).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sandbox_id.h"
#include "cordon/result.h"
#include "platform/unique_fd.h"

namespace cordon::provision {

// How far a sandbox is from the host; stronger ones later.
enum class Isolation { kContainer, kKernelLine, kGvisor };
std::string_view IsolationName(Isolation isolation);  // "container", "kernel-line", "gvisor"
std::optional<Isolation> ParseIsolation(std::string_view name);

struct Resources {  // 0: the driver's default, never "no limit"
  double cpus = 0;
  std::uint64_t memory = 0;  // bytes
  std::uint64_t processes = 0;
  std::uint64_t disk = 0;  // bytes below its directory on the host; see Facts
};

// What is asked for.
struct Terms {
  SandboxId id;
  std::string image = {};  // of a driver that has any; "": its default
  Resources resources = {};
  std::vector<std::string> environment = {};  // "NAME=value"
  std::string network = "none";               // as `cordon run --net`: none, allow:HOST,..., full
  Isolation isolation = Isolation::kKernelLine;  // at least; weaker fails the creation
};

// What holds a sandbox to its disk; stronger ones later.
enum class DiskHold {
  kNot,
  kWatched,  // looked at while something runs; who is over is stopped, see docs/sandboxes.md
  kQuota,    // by the file system, exactly
};
std::string_view DiskHoldName(DiskHold hold);  // "not", "watched", "quota"

// What was really made, read back and not assumed.
struct Facts {
  Isolation isolation = Isolation::kContainer;
  std::string isolation_detail;  // "runsc 20221219, ptrace", "landlock 7, seccomp, …"
  std::string handle;            // the driver's own name for it: container id, directory
  Resources resources;           // that hold; 0: not limited here
  DiskHold disk_hold = DiskHold::kNot;
};

enum class Liveness { kRunning, kPaused, kDead };

// One that exists, known by its mark, whoever made it.
struct Found {
  SandboxId id;
  std::string handle = {};
  Liveness liveness = Liveness::kDead;
  enum class Making { kFinished, kHalfDone } making = Making::kFinished;
};

// How one ended, as far as the driver knows.
struct Ending {
  std::optional<int> exit_status;
  enum class Memory { kUnknown, kEnough, kRanOut } memory = Memory::kUnknown;
  std::string last_lines;  // of its log; 16 KiB at most
};

struct Process {
  std::uint32_t id = 0, parent = 0;
  std::string program, arguments;
  std::uint64_t memory = 0;
  std::chrono::milliseconds cpu{0};
};

struct Usage {
  std::chrono::microseconds cpu{0};
  std::uint64_t memory = 0, peak_memory = 0, disk = 0;
  std::vector<Process> processes;
  std::vector<std::uint16_t> ports;  // that something listens on inside
};

struct TerminalSize {
  std::uint16_t rows = 24, columns = 80;
};

struct ExecTerms {
  std::vector<std::string> arguments;
  std::vector<std::string> environment;
  std::string directory;                 // absolute, inside; "": /workspace
  std::optional<TerminalSize> terminal;  // unset: three pipes
  std::chrono::milliseconds timeout{0};  // 0: none
  enum class Bond { kAttached, kDetached } bond = Bond::kAttached;
};

struct ExecEnd {
  int status = 0, signal = 0;
  enum class Why { kExited, kTimeout, kKilled, kSandboxGone } why = Why::kExited;
  std::vector<std::string> refusals;  // one line each, for people and models
};

// A program in a sandbox, with its streams.
// Guarantees: dropping an attached one ends the program and its descendants.
// Thread safety: one thread at a time reads, another one may write; Kill and Resize by any.
class Exec {
 public:
  enum class Stream { kOut, kErr };
  struct Piece {
    Stream stream = Stream::kOut;  // kOut alone with a terminal
    std::string bytes;
  };
  virtual ~Exec() = default;
  // Waits. Unset: both streams have ended. Errors: kIoError.
  virtual Result<std::optional<Piece>> Read() = 0;
  virtual Status Write(std::string_view bytes) = 0;
  virtual void CloseInput() = 0;
  virtual Status Resize(const TerminalSize& size) = 0;
  virtual void Kill() = 0;
  // After the streams have ended. Errors: kIoError.
  virtual Result<ExecEnd> Wait() = 0;
};

// How file tools reach a sandbox's /workspace.
struct FileAccess {
  enum class Way {
    kDirectory,  // `path` on this host, through confine::Root
    kInside,     // by way of `cordon-tools files` in it: see Driver::Tools
  } way = Way::kDirectory;
  std::string path;
  // What a path outside /workspace means to what runs inside.
  enum class Around { kAnotherRoot, kThisHost } around = Around::kAnotherRoot;
};

// The input and output of `cordon-tools files` in a sandbox, which speak inside/file_wire.h.
// Thread safety: one thread at a time.
class ToolStream {
 public:
  virtual ~ToolStream() = default;  // ends the program
  // Errors: kIoError, kTimeout.
  virtual Status Send(std::string_view bytes) = 0;
  // Waits for some bytes; "": it has ended. Errors: kIoError, kTimeout.
  virtual Result<std::string> Receive(std::chrono::milliseconds patience) = 0;
};

// Guarantees: Create leaves nothing behind when it fails, and an interrupted one can be found by
//   List; every sandbox has its own /workspace, kept until Destroy; nothing inside reaches
//   the host, another sandbox, or a network that Terms does not name; no host port is opened.
// Thread safety: all methods may run concurrently, also for the same id.
// Errors of all that take an id: kNotFound when there is none.
class Driver {
 public:
  virtual ~Driver() = default;
  virtual std::string_view name() const = 0;  // "local", "docker+runc", "docker+runsc"
  // Errors: kUnsupported, with what is missing, when it cannot work on this machine.
  virtual Status Probe() = 0;

  // Returns when programs can be run in it. Errors: kSandboxRequired when the isolation obtained
  // is weaker than asked for; kAlreadyExists; kLimitExceeded; kIoError.
  virtual Result<Facts> Create(const Terms& terms) = 0;
  virtual Result<std::vector<Found>> List() = 0;
  // Takes over one that List has found, after a restart.
  virtual Result<Facts> Adopt(const SandboxId& id) = 0;
  // Ends it and removes all there is of it. No error if there is none.
  virtual Status Destroy(const SandboxId& id) = 0;
  // Why it is dead; before Destroy.
  virtual Result<Ending> Autopsy(const SandboxId& id) = 0;
  virtual Status Pause(const SandboxId& id) = 0;
  virtual Status Resume(const SandboxId& id) = 0;

  virtual Result<std::unique_ptr<Exec>> Start(const SandboxId& id, const ExecTerms& terms) = 0;
  virtual Result<Usage> Inspect(const SandboxId& id) = 0;
  virtual Status Signal(const SandboxId& id, std::uint32_t process, int signal) = 0;
  // A stream to a port inside, which blocks. Errors: kNotFound when nothing listens there.
  virtual Result<platform::UniqueFd> Connect(const SandboxId& id, std::uint16_t port) = 0;
  virtual Result<FileAccess> Files(const SandboxId& id) = 0;
  // Before `bytes` are added to its files from outside: whether they still fit. Taking away
  // needs no room. Errors: kLimitExceeded, with the rule "disk".
  virtual Status Room(const SandboxId& id, std::uint64_t bytes);
  // One more process for the way kInside. Errors: kUnsupported where that is not the way.
  virtual Result<std::unique_ptr<ToolStream>> Tools(const SandboxId& id);

  // Told when a sandbox dies by itself, from any thread; set once, before the first Create.
  using OnDeath = std::function<void(const SandboxId& id)>;
  virtual void Watch(OnDeath died) = 0;
};

}  // namespace cordon::provision
