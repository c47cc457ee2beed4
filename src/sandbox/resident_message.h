// What is asked of a sandbox that stays, and what it answers, one datagram each. Every request
// comes over a connection of its own to the sandbox's socket; whoever can connect is its
// owner. Neither side trusts the other's bytes: what cannot be read ends the connection.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cordon/result.h"
#include "sandbox/message.h"
#include "sandbox/spec.h"

namespace cordon::sandbox {

// Starts a program. With the three streams as descriptors, or none and a terminal of its own.
// Then the connection carries Report (Ready with the terminal's other end if there is one, or
// Failed; Refused, RefusedMore, Ask, LimitHit, Ended) and takes Order (message.h). When it
// closes before the end, an attached program is ended with all its descendants; a detached
// one goes on. Ended comes when the program itself has ended: what it left in the background
// goes on, unless it was stopped, killed, or its time was over.
struct Execute {
  enum class Bond { kAttached, kDetached };
  std::vector<std::string> arguments;
  std::vector<std::string> environment;  // in addition to the sandbox's
  std::string directory;                 // absolute, inside; "": the workspace
  TerminalUse terminal = TerminalUse::kGivenStreams;
  std::uint16_t rows = 24, columns = 80;  // of a terminal of its own
  Bond bond = Bond::kAttached;
  std::chrono::milliseconds wall{0};  // 0: no limit
  std::chrono::milliseconds grace{2000};
  bool operator==(const Execute&) const = default;
};

// A stream to a port on the sandbox's own loopback; answered by Dialled, with it.
struct Dial {
  std::uint16_t port = 0;
  bool operator==(const Dial&) const = default;
};
// Answered by Seen.
struct Look {
  bool operator==(const Look&) const = default;
};
// All processes but the sandbox's own stand still, and go on. Answered by Done.
struct Freeze {
  bool operator==(const Freeze&) const = default;
};
struct Thaw {
  bool operator==(const Thaw&) const = default;
};
// To one process, as Look numbers it. Answered by Done; ESRCH if there is none.
struct SignalOne {
  std::uint32_t process = 0;
  int signal = 0;
  bool operator==(const SignalOne&) const = default;
};
// Ends everything; the connection closes when nothing is left.
struct Vanish {
  bool operator==(const Vanish&) const = default;
};
// Answered by Done with a descriptor that becomes readable when no process of the sandbox is
// left; the connection stays until its launcher has gone, too, with what that had to clean up.
struct Watch {
  bool operator==(const Watch&) const = default;
};
// Answered by Done with the listeners for HTTP and for SOCKS of a proxied network, any number
// of times; ENOENT if it is not proxied.
struct HandOut {
  bool operator==(const HandOut&) const = default;
};
// As Look, without what takes long to find out: processes, ports, and what they use.
struct Glance {
  bool operator==(const Glance&) const = default;
};
// Ends all programs at once; the sandbox stays, and takes new ones. Answered by Done.
struct Clear {
  bool operator==(const Clear&) const = default;
};
using Request = std::variant<Execute, Dial, Look, Freeze, Thaw, SignalOne, Vanish, Watch, HandOut,
                             Glance, Clear>;

struct Dialled {
  int os_errno = 0;  // 0: with a descriptor
  bool operator==(const Dialled&) const = default;
};
struct Done {
  int os_errno = 0;
  bool operator==(const Done&) const = default;
};
struct SeenProcess {
  std::uint32_t process = 0;
  std::uint32_t parent = 0;
  std::string program;
  std::string arguments;  // joined by spaces; cut
  std::uint64_t memory = 0;
  std::chrono::milliseconds cpu{0};
  bool operator==(const SeenProcess&) const = default;
};
// What is really limited, for all processes together; 0: not here.
struct Held {
  std::uint64_t memory = 0;  // bytes
  std::uint64_t processes = 0;
  std::uint64_t processors = 0;  // thousandths of one
  bool operator==(const Held&) const = default;
};
struct Seen {
  enum class State { kRunning, kFrozen } state = State::kRunning;
  std::chrono::microseconds cpu{0};
  std::uint64_t memory = 0;         // bytes now
  std::uint64_t peak_memory = 0;    // bytes
  std::uint64_t out_of_memory = 0;  // processes ended for it
  Held held;
  LayerSet layers;                     // that hold it
  std::vector<SeenProcess> processes;  // without the sandbox's own; 500 at most
  std::vector<std::uint16_t> ports;    // that something listens on
  bool operator==(const Seen&) const = default;
};
using Reply = std::variant<Dialled, Done, Seen>;

std::string Encode(const Request& request);
std::string Encode(const Reply& reply);
// Errors: kInvalidArguments.
Result<Request> DecodeRequest(std::string_view bytes);
Result<Reply> DecodeReply(std::string_view bytes);

inline constexpr std::size_t kMaxRequestBytes = std::size_t{160} * 1024;
inline constexpr std::size_t kMaxReplyBytes = kMaxRequestBytes;

// With this argument the launcher stays, and outlives whoever started it. It then finds these
// open beside those of message.h: the socket that listens for requests, and a file into which
// it writes in the end how that was (Epitaph).
inline constexpr std::string_view kResidentArgument = "--resident";
inline constexpr int kRequestsDescriptor = 5;
inline constexpr int kEpitaphDescriptor = 6;

// How a sandbox ended, as far as its launcher knows.
struct Epitaph {
  enum class Cause { kVanished, kDied } cause = Cause::kDied;
  enum class Memory { kUnknown, kEnough, kRanOut } memory = Memory::kUnknown;
  int status = 0;  // of the sandbox's first process
  int signal = 0;
  bool operator==(const Epitaph&) const = default;
};
std::string Encode(const Epitaph& epitaph);
Result<Epitaph> DecodeEpitaph(std::string_view bytes);

}  // namespace cordon::sandbox
