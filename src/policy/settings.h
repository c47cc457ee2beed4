// What holds after command line, environment, configuration and profile have
// spoken. No I/O: the caller hands in what it read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cordon/result.h"
#include "policy/command_rule.h"
#include "policy/config.h"
#include "policy/deny_list.h"
#include "policy/profile.h"
#include "policy/tool_level.h"

namespace cordon::policy {

// ALLOWED_ROOT_DIRECTORY and DATA_DIR; empty values count as unset.
struct Environment {
  std::optional<std::string> allowed_root_directory;
  std::optional<std::string> data_dir;
};

// Flags; unset or empty means "not given".
struct Flags {
  std::optional<Profile> profile;
  std::vector<std::string> roots;
  std::vector<std::string> read_only_roots;  // --allow-read
  std::vector<std::string> deny;             // --deny PATTERN
};

// A directory, or a file, of Cordon's own. Where one lies inside a configured place it
// is out of reach all the same, with protection on or off.
struct Protected {
  enum class From { kEverything, kChanges };
  enum class Names { kThis, kBeginningWith };
  std::string path;  // absolute
  From from = From::kEverything;
  Names names = Names::kThis;  // kBeginningWith: whatever the last name begins
  // Whether a place may lie below it. kWorkspaces: Cordon keeps workspaces there, each of which
  // is reached as a place of its own and never from outside.
  enum class Holds { kNoPlace, kWorkspaces } holds = Holds::kNoPlace;
};

// kOff is --disable-sandbox: every path is allowed and no deny rule holds.
enum class Protection { kOn, kOff };

struct Settings {
  Profile profile = Profile::kInteractive;
  std::vector<std::string> roots;  // empty: see MissingRoot of the profile
  // What the first root is called inside a sandbox that has it, absolute; "": as here.
  std::string seen_as = {};
  std::vector<std::string> read_only_roots;
  std::optional<std::string> data_dir;
  std::vector<DenyRule> deny;
  bool read_only = false;
  std::vector<ToolRule> tools;            // the operator's
  std::vector<ToolRule> narrowing_tools;  // a workspace's own
  std::vector<CommandRule> commands;      // the operator's, then a workspace's own
  // What guards the agent; see Protected.
  std::vector<Protected> own;
  Protection protection = Protection::kOn;
};

// Precedence for what can be given once: flags, environment, operator's file,
// default. Deny rules add up.
Result<Settings> Merge(const Flags& flags, const Environment& environment,
                       const Config& operator_config);

// Applies the workspace's own file, which can only narrow: adds deny rules, may
// make the workspace read-only, may choose a narrower profile.
// Errors: kInvalidArguments when it would widen.
Status Narrow(Settings& settings, const Config& workspace_config);

}  // namespace cordon::policy
