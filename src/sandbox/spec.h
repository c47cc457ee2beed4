// All that is decided about a command before it starts: what it is, what it may touch,
// and what holds it. Plain values; whoever makes one has the policy behind it.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "cordon/result.h"
#include "policy/deny_list.h"
#include "sandbox/layer.h"

namespace cordon::sandbox {

// A directory, or a file, that the command may use.
struct Place {
  enum class Access { kRead, kReadWrite };
  std::string path;  // absolute and real
  Access access = Access::kRead;
  // Where the command sees it: absolute, needs a mount namespace; "": at the same path.
  std::string inside = {};
  const std::string& seen_at() const { return inside.empty() ? path : inside; }
  bool operator==(const Place&) const = default;
};

enum class Network {
  kNone,
  kProxied,  // only through two listening sockets that are handed out (Ready)
  kFull,
};

// What of a path that is in no place.
enum class Outside { kRefuse, kAsk };

// Whether opening a directory to list it is judged, too. It tells names only, costs much
// where trees are walked, and Landlock holds it in any case.
enum class Listing { kKernelAlone, kSupervised };

// How `.git` is kept although commands work in it: nothing that makes git run something
// is changed by the command.
enum class GitRules { kNone, kNoCodeFromRepositories };

enum class TerminalUse {
  kGivenStreams,  // the three streams as they are
  kOwn,           // a terminal of its own, whose other end is handed out (Ready)
};

// 0 is no limit.
struct Limits {
  std::chrono::milliseconds wall{0};
  std::chrono::milliseconds grace{2000};  // from TERM to KILL
  std::chrono::seconds cpu{0};            // of all processes together
  std::uint64_t memory = 0;               // bytes, of all processes together
  std::uint64_t processes = 0;            // and threads
  std::uint64_t open_files = 0;           // of one process
  std::uint64_t file_size = 0;            // bytes, of one file
  std::uint64_t written = 0;              // bytes to disks, of all processes together
  std::uint64_t processors = 0;           // thousandths of one, of all processes together
  std::uint64_t private_space = 0;        // bytes in /tmp, /dev/shm and the private home
  bool operator==(const Limits&) const = default;
};

struct Spec {
  std::vector<std::string> arguments;    // the program first; looked for in PATH of `environment`
  std::vector<std::string> environment;  // "NAME=value": all it gets
  std::string directory;                 // where it starts: absolute, in a place, as seen inside
  std::vector<Place> places;             // the workspace first; a longer path beats a shorter one
  std::vector<Place> system;  // programs and libraries, and what they read; never changed
  std::string home;           // made empty and private; "": none
  // Absolute paths, neither seen nor changed although they may lie in a place.
  std::vector<std::string> hidden;
  std::vector<policy::DenyRule> denied;  // anchored at each place
  GitRules git = GitRules::kNoCodeFromRepositories;
  Outside outside = Outside::kRefuse;
  Listing listing = Listing::kKernelAlone;
  Network network = Network::kNone;
  TerminalUse terminal = TerminalUse::kGivenStreams;
  Limits limits;
  LayerSet wanted = LayerSet::All();  // those a machine lacks are left out and told (Ready)
  LayerSet required;                  // without these nothing starts
};

// The form in which a Spec reaches the launcher.
std::string Encode(const Spec& spec);
// Errors: kInvalidArguments for anything that Encode does not make.
Result<Spec> DecodeSpec(std::string_view bytes);

}  // namespace cordon::sandbox
