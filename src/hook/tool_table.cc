#include "hook/tool_table.h"

#include <algorithm>
#include <array>
#include <string>

namespace cordon::hook {
namespace {

using policy::ToolKind;

std::span<const Tool> ToolsOf(Agent agent) {
  switch (agent) {
    case Agent::kClaude: return ClaudeTools();
    case Agent::kCodex: return CodexTools();
    case Agent::kGemini: return GeminiTools();
    case Agent::kCursor: return CursorTools();
  }
  return {};
}

constexpr std::array<std::string_view, 4> kDeletes{"delete", "remove", "unlink", "trash"};
constexpr std::array<std::string_view, 17> kWrites{
    "write",  "edit", "create", "save", "append", "update", "replace", "insert",  "patch",
    "rename", "move", "mkdir",  "put",  "upload", "modify", "copy",    "download"};

// In lower case, without "_" and "-".
constexpr std::array<std::string_view, 4> kPathNames{"source", "sources", "destination", "target"};
// The last part of longer names: "output_dir", "inputFile".
constexpr std::array<std::string_view, 24> kPathEnds{
    "path",        "paths",  "file",    "files", "filename", "filenames", "dir",      "dirs",
    "directory",   "folder", "folders", "uri",   "uris",     "cwd",       "workdir",  "root",
    "directories", "roots",  "src",     "dest",  "dst",      "location",  "document", "notebook"};
constexpr std::array<std::string_view, 9> kCommandNames{
    "command", "commands", "cmd", "cmds", "commandline", "script", "shell", "bash", "exec"};

std::string Plain(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (c == '_' || c == '-') continue;
    plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return plain;
}

template <typename Words>
bool HasOneOf(std::string_view text, const Words& words) {
  return std::any_of(words.begin(), words.end(), [text](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

}  // namespace

const Tool* FindTool(Agent agent, std::string_view name) {
  const std::span<const Tool> tools = ToolsOf(agent);
  const auto found =
      std::find_if(tools.begin(), tools.end(), [name](const Tool& t) { return t.name == name; });
  return found == tools.end() ? nullptr : &*found;
}

Guess GuessByName(std::string_view tool) {
  const std::string plain = Plain(tool);
  if (HasOneOf(plain, kDeletes)) return {ToolKind::kDelete, Operation::kDelete};
  if (HasOneOf(plain, kWrites)) return {ToolKind::kWrite, Operation::kWrite};
  return {ToolKind::kRead, Operation::kRead};
}

bool SoundsLikePath(std::string_view field) {
  const std::string plain = Plain(field);
  return std::find(kPathNames.begin(), kPathNames.end(), plain) != kPathNames.end() ||
         std::any_of(kPathEnds.begin(), kPathEnds.end(),
                     [&plain](std::string_view end) { return plain.ends_with(end); });
}

bool SoundsLikeCommand(std::string_view field) {
  const std::string plain = Plain(field);
  return std::find(kCommandNames.begin(), kCommandNames.end(), plain) != kCommandNames.end();
}

}  // namespace cordon::hook
