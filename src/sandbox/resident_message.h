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
// one goes on.
struct Execute {
  enum class Bond { kAttached, kDetached };
  std::vector<std::string> arguments;
  std::vector<std::string> environment;  // in addition to the sandbox's
  std::string directory;                 // absolute, inside; "": the workspace
  TerminalUse terminal = TerminalUse::kGivenStreams;
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
using Request = std::variant<Execute, Dial, Look, Freeze, Thaw, SignalOne, Vanish>;

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
struct Seen {
  enum class State { kRunning, kFrozen } state = State::kRunning;
  std::chrono::microseconds cpu{0};
  std::uint64_t memory = 0;         // bytes now
  std::uint64_t peak_memory = 0;    // bytes
  std::uint64_t out_of_memory = 0;  // processes ended for it
  std::vector<SeenProcess> processes;
  std::vector<std::uint16_t> ports;  // that something listens on
  bool operator==(const Seen&) const = default;
};
using Reply = std::variant<Dialled, Done, Seen>;

std::string Encode(const Request& request);
std::string Encode(const Reply& reply);
// Errors: kInvalidArguments.
Result<Request> DecodeRequest(std::string_view bytes);
Result<Reply> DecodeReply(std::string_view bytes);

// The launcher finds it open beside those of message.h when it is started as a resident: the
// socket that listens for requests. It then outlives whoever started it.
inline constexpr int kRequestsDescriptor = 5;

}  // namespace cordon::sandbox
