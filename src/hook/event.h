// What an agent is about to do, in one form for every agent.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/operation.h"
#include "cordon/result.h"
#include "hook/agent.h"
#include "policy/tool_level.h"

namespace cordon::hook {

// Longest input that is read; what is longer is refused.
inline constexpr std::size_t kMaxInputBytes = std::size_t{16} << 20;
// More paths and commands than this in one event are refused.
inline constexpr std::size_t kMaxUses = 4096;

// A path, as the agent gave it; relative ones are below `Event::cwd`.
struct PathUse {
  enum class Form {
    kPath,
    kPattern,  // a glob, which names what matches
    kFilter,   // a glob that picks from what is below, at any depth; "*" picks everything
  };
  std::string path;
  Operation operation = Operation::kRead;
  Form form = Form::kPath;

  bool operator==(const PathUse&) const = default;
};

struct CommandUse {
  // kPerhaps: a field called "command" of a tool that nobody here knows. kTyped: for a program
  // that runs already, which may be a shell or read another language.
  enum class Certainty { kShell, kPerhaps, kTyped };
  std::string text;
  std::string cwd;  // as given; empty: the event's
  Certainty certainty = Certainty::kShell;

  bool operator==(const CommandUse&) const = default;
};

struct Event {
  Agent agent = Agent::kClaude;
  std::string name;                          // "PreToolUse"
  std::string session;                       // may be empty
  std::string cwd;                           // absolute; empty only where `workspace_roots` is not
  std::vector<std::string> workspace_roots;  // of Cursor
  std::string tool;                          // empty: nothing here is to be judged
  policy::ToolKind kind = policy::ToolKind::kRead;
  std::vector<PathUse> paths;
  std::vector<CommandUse> commands;
  // Every other text of a tool that nobody here knows: refused if a deny rule covers it.
  std::vector<std::string> mentions;

  bool touches_nothing() const { return paths.empty() && commands.empty(); }
};

// What can be done where a person must be asked.
enum class Asking {
  kHere,        // the agent asks when it is told to
  kElsewhere,   // the agent tells of the same call again, at an event where it can ask
  kImpossible,  // it would go ahead, so it must be refused
};
Asking AskingAt(const Event& event);

// Reads what `agent` wrote to its hook. An event of another kind than "a tool is about to
// run" has no tool and touches nothing. Tools of a server that calls itself Cordon's are judged
// like all: a name proves nothing.
// Errors: kInvalidArguments for what is not JSON, lacks a field that is needed or has one of
//   another type, and for an event nobody here knows that carries a call of a tool; kTooLarge,
//   kLimitExceeded. Who gets one must refuse.
Result<Event> ParseEvent(Agent agent, std::string_view untrusted);

}  // namespace cordon::hook
