// What the tools of each agent do with which of their fields: the only place that knows.
#pragma once

#include <span>
#include <string_view>

#include "cordon/operation.h"
#include "hook/agent.h"
#include "policy/tool_level.h"

namespace cordon::hook {

enum class Role {
  kPath,              // one path, or several in an array
  kPattern,           // a glob, or several; relative ones are below the tool's first path
  kFilter,            // a glob, or several with blanks or commas between, of what is searched
  kTyped,             // what is typed into a program that runs already
  kCommand,           // for a shell; or words of one, in an array
  kWorkingDirectory,  // of the command
  kPatch,             // a patch that names its files ("*** Update File: ...")
  kNested,            // objects that may hold paths
};

struct Field {
  std::string_view name;
  Role role;
};

// kOneOfThem: a call without any path, command or patch cannot be judged and is refused.
enum class Needs { kOneOfThem, kNothing };

struct Tool {
  std::string_view name;
  policy::ToolKind kind;
  Operation operation;  // on its paths
  Needs needs;
  std::span<const Field> fields;
};

// Null: not known by name.
const Tool* FindTool(Agent agent, std::string_view name);

// By what a name says of a tool that is not known: "mcp__files__delete_file" deletes.
struct Guess {
  policy::ToolKind kind;
  Operation operation;
};
Guess GuessByName(std::string_view tool);

// Whether a field of a tool that is not known is likely to hold a path: "file_path", "dir".
bool SoundsLikePath(std::string_view field);
// And a command: "command", "cmd".
bool SoundsLikeCommand(std::string_view field);

// The tables, one file each.
std::span<const Tool> ClaudeTools();
std::span<const Tool> CodexTools();
std::span<const Tool> GeminiTools();
std::span<const Tool> CursorTools();  // and its events that are no tool: "beforeReadFile"

}  // namespace cordon::hook
