// An agent's settings with Cordon's hook in them, and without it again. Text to text.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/result.h"
#include "hook/agent.h"

namespace cordon::hook {

// Below the home or project directory: ".claude/settings.json".
std::string_view SettingsFileOf(Agent agent);

// That file, and others in the same place that can switch its hooks off.
std::span<const std::string_view> FilesOverHooks(Agent agent);

struct Installation {
  Agent agent = Agent::kClaude;
  std::string program;                 // absolute; its last name begins with "cordon"
  std::vector<std::string> arguments;  // after "hook --agent A"
};

// What is there before.
struct Present {
  enum class Directory { kThere, kMissing };
  std::optional<std::string> text;  // unset: no file
  Directory directory = Directory::kThere;
};

// What shall be there.
struct Wanted {
  std::optional<std::string> text;                            // unset: no file
  Present::Directory directory = Present::Directory::kThere;  // kMissing: nor the directory,
                                                              // unless something is in it
};

// Guarantees: everything else stays, in its order; what has the entry already, as it is
//   wanted, comes back byte for byte; an entry of other terms is replaced where it stands.
//   The text keeps its indentation if it is written as PrettyJson would.
// Errors: kInvalidArguments for a file that is not JSON (comments included), or whose hooks
//   are not what the agent's contract says.
Result<Wanted> Install(const Installation& installation, const Present& present);

// Takes out what Install put in, and what it made for that and nobody else uses.
// Guarantees: what Install made of a text as PrettyJson writes it becomes that text again;
//   of any other, JSON that is equal to it.
// Errors: as Install.
Result<Wanted> Uninstall(Agent agent, const Present& present);

}  // namespace cordon::hook
