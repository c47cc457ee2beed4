// Commands on behalf of an agent: what is run, what holds it, and how it ended.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/result.h"
#include "platform/unique_fd.h"
#include "sandbox/command.h"
#include "sandbox/spec.h"

namespace cordon::guard {

// A connection a command asked for, as it ended.
struct Connection {
  std::string host;  // as asked for; any bytes
  std::uint16_t port = 0;
  std::string address;  // that was connected to; empty: none
  std::string rule;     // that allowed or refused it
  enum class Decision { kAllowed, kRefused } decision = Decision::kRefused;
};

// Told of each connection before it is made, from any thread. An error: it is not made.
using ConnectionObserver = std::function<Status(const Connection&)>;
// Lets a command's connections out through two listening sockets, until the object it
// gives is dropped.
using EgressStarter = std::function<Result<std::shared_ptr<void>>(
    platform::UniqueFd http, platform::UniqueFd socks, const ConnectionObserver& observer)>;

class RunningCommand;
struct CommandTerms;
// Runs a command where no launcher of this host does, e.g. in a sandbox that stays. `directory` is
// where it starts, below the workspace. Given back running; its Wait records nothing.
using ElsewhereStarter = std::function<Result<std::unique_ptr<RunningCommand>>(
    const CommandTerms& terms, std::string_view directory)>;

// How this program runs commands; the same for all of a session.
struct CommandSupport {
  ElsewhereStarter elsewhere;            // set: all there, and nothing below counts
  std::string launcher = {};             // absolute path of cordon-launch
  std::vector<std::string> environment;  // "NAME=value": what every command gets
  std::string home;                      // the person's; "": none
  sandbox::Network network = sandbox::Network::kNone;
  EgressStarter egress;  // needed for Network::kProxied
  sandbox::Limits limits;
  sandbox::LayerSet wanted = sandbox::LayerSet::All();
  sandbox::LayerSet required;
};

// One command.
struct CommandTerms {
  std::vector<std::string> arguments;    // the program first
  std::string shown;                     // as people and records are told of it
  std::string line;                      // what rules are held against; "": the arguments
  std::string preview;                   // for the person, if one is asked: what it would do
  std::string directory;                 // as asked; "": the workspace
  std::vector<std::string> environment;  // in addition: "NAME=value"
  std::chrono::milliseconds wall{0};     // 0: the support's
  sandbox::TerminalUse terminal = sandbox::TerminalUse::kGivenStreams;
  sandbox::Streams streams;
  // Started ahead, with these streams; null: it is started when the command is.
  std::shared_ptr<sandbox::Launcher> launcher;
};

struct CommandOutcome {
  sandbox::Ended ended;
  std::vector<sandbox::Refused> refused;  // each once, in the order they were met
  sandbox::RefusedMore more;
  std::vector<sandbox::LimitKind> limits;  // that were hit
  std::vector<Connection> connections;     // those refused
};

// A command that runs. Guarantees: every refusal is recorded when it is told here; when this
//   goes, every process of the command is ended.
// Thread safety: Wait is called once, by one thread; Stop and Kill by any.
class RunningCommand {
 public:
  virtual ~RunningCommand() = default;
  virtual sandbox::LayerSet layers() const = 0;
  virtual platform::UniqueFd TakeTerminal() = 0;
  // Errors: kIoError when the launcher died, or the end could not be recorded.
  virtual Result<CommandOutcome> Wait() = 0;
  virtual void Stop() = 0;
  virtual void Kill() = 0;
  // Before Wait: see sandbox::Command::Leave.
  virtual void Leave() = 0;
};

}  // namespace cordon::guard
