// What launcher and Cordon tell each other while a command runs, one datagram each, on a
// socket pair. Neither trusts the other's bytes: what cannot be read ends the command.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cordon/operation.h"
#include "cordon/result.h"
#include "sandbox/layer.h"

namespace cordon::sandbox {

// --- from the launcher ---

// The line stands and the command is about to start. With descriptors, in this order:
// the terminal's other end if there is one, then listeners for HTTP and for SOCKS if the
// network is proxied.
struct Ready {
  LayerSet layers;  // that hold it
  bool operator==(const Ready&) const = default;
};

// The line could not be drawn, or the program not be started; nothing ran.
struct Failed {
  enum class Stage { kSetUp, kRequiredLayer, kProgram } stage = Stage::kSetUp;
  std::string what;  // the step, or the layer, or the program
  int os_errno = 0;
  bool operator==(const Failed&) const = default;
};

// Something the command tried and was not allowed. The same is told once.
struct Refused {
  Operation operation = Operation::kRead;
  std::string path;     // absolute, as far as it could be resolved; any bytes
  std::string rule;     // "deny:.env", "outside", "read-only", "git:hooks", "process:memory"
  std::string program;  // that tried it, as the kernel calls it
  std::uint32_t process = 0;
  bool operator==(const Refused&) const = default;
};
// How often something told was tried again, and how many different ones were not told.
struct RefusedMore {
  std::uint64_t repeated = 0;
  std::uint64_t untold = 0;
  bool operator==(const RefusedMore&) const = default;
};

// An access outside that a person may allow; the process waits.
struct Ask {
  // Up to kCreateExclusive something is opened and its descriptor handed over; the rest is
  // done in the process's place. kRenameToFree: only if nothing has the new name.
  enum class Way {
    kRead,
    kWrite,
    kReadWrite,
    kCreate,
    kCreateExclusive,
    kMakeDirectory,
    kRemove,
    kRename,
    kRenameToFree
  };
  std::uint64_t id = 0;
  Way way = Way::kRead;
  bool truncate = false;
  std::string path;  // absolute, by text; any bytes
  std::string program;
  std::uint32_t process = 0;
  std::string to = {};  // the new name, likewise
  bool operator==(const Ask&) const = default;
};
constexpr bool Opens(Ask::Way way) { return way <= Ask::Way::kCreateExclusive; }

enum class LimitKind {
  kWall,
  kCpu,
  kMemory,
  kProcesses,
  kOpenFiles,
  kFileSize,
  kWritten,
  kPrivateSpace
};
std::string_view LimitName(LimitKind kind);  // "wall time", "memory", ...
struct LimitHit {
  LimitKind kind = LimitKind::kWall;
  bool operator==(const LimitHit&) const = default;
};

// The command has ended and no process of it is left.
struct Ended {
  int status = 0;  // of exit
  int signal = 0;  // that ended it; 0: none
  std::chrono::microseconds cpu{0};
  std::uint64_t peak_memory = 0;  // bytes, of the largest process or of all, as known
  std::uint64_t written = 0;      // bytes, as known
  bool operator==(const Ended&) const = default;
};

using Report = std::variant<Ready, Failed, Refused, RefusedMore, Ask, LimitHit, Ended>;

// --- to the launcher ---

// With a descriptor if `os_errno` is 0 and something was to be opened.
struct Answer {
  std::uint64_t id = 0;
  int os_errno = 0;
  bool operator==(const Answer&) const = default;
};
// Ends all processes: TERM, and KILL after the grace.
struct Stop {
  bool operator==(const Stop&) const = default;
};
struct Kill {
  bool operator==(const Kill&) const = default;
};
// The first of all: what kSpecDescriptor holds is complete.
struct Begin {
  bool operator==(const Begin&) const = default;
};
using Order = std::variant<Answer, Stop, Kill, Begin>;

std::string Encode(const Report& report);
std::string Encode(const Order& order);
// Errors: kInvalidArguments.
Result<Report> DecodeReport(std::string_view bytes);
Result<Order> DecodeOrder(std::string_view bytes);

inline constexpr std::size_t kMaxMessageBytes = 64 * 1024;

// The launcher finds these open beside the three standard streams.
inline constexpr int kSpecDescriptor = 3;     // a memory file with the encoded Spec, sealed at last
inline constexpr int kControlDescriptor = 4;  // SOCK_SEQPACKET
// Before a number, the bits of a LayerSet: the namespaces that the Spec will want, probably.
inline constexpr std::string_view kAheadFlag = "--ahead=";

}  // namespace cordon::sandbox
