#include "hook/settings_entries.h"

#include <array>
#include <boost/json/array.hpp>
#include <vector>

namespace cordon::hook {
namespace {

namespace json = boost::json;

constexpr std::string_view kEverything = ".*";
constexpr int kSeconds = 30;

std::vector<std::string> WordsOf(const Installation& installation, Made made) {
  std::vector<std::string> words{"hook", "--agent", std::string(AgentName(installation.agent))};
  words.insert(words.end(), installation.arguments.begin(), installation.arguments.end());
  words.emplace_back("--made");
  words.emplace_back(MadeName(made));
  return words;
}

bool NeedsQuotes(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=+,@%";
  return word.empty() || word.find_first_not_of(kPlain) != std::string_view::npos;
}

void AppendQuoted(std::string& line, std::string_view word) {
  if (!NeedsQuotes(word)) {
    line += word;
    return;
  }
  line += '\'';
  for (const char c : word) {
    if (c == '\'') {
      line += "'\\''";
    } else {
      line += c;
    }
  }
  line += '\'';
}

// For agents that hand it to a shell.
std::string CommandLine(const Installation& installation, Made made) {
  std::string line;
  AppendQuoted(line, installation.program);
  for (const std::string& word : WordsOf(installation, made)) {
    line += ' ';
    AppendQuoted(line, word);
  }
  return line;
}

// The words of a handler as one text, each after a blank; its program first.
std::optional<std::string> TextOf(const json::object& handler) {
  const json::value* command = handler.if_contains("command");
  if (command == nullptr || !command->is_string()) return std::nullopt;
  std::string text(command->get_string().data(), command->get_string().size());
  const json::value* words = handler.if_contains("args");
  if (words == nullptr || !words->is_array()) return text;
  for (const json::value& word : words->get_array()) {
    if (!word.is_string()) return std::nullopt;
    text += ' ';
    text.append(word.get_string().data(), word.get_string().size());
  }
  return text;
}

}  // namespace

std::string_view MadeName(Made made) {
  switch (made) {
    case Made::kEntry: return "entry";
    case Made::kEvent: return "event";
    case Made::kHooks: return "hooks";
    case Made::kFile: return "file";
    case Made::kDirectory: return "directory";
  }
  return "entry";
}

std::span<const std::string_view> EventsOf(Agent agent) {
  static constexpr std::array<std::string_view, 1> kTool{"PreToolUse"};
  static constexpr std::array<std::string_view, 1> kGemini{"BeforeTool"};
  static constexpr std::array<std::string_view, 4> kCursor{"beforeShellExecution", "beforeReadFile",
                                                           "beforeMCPExecution", "preToolUse"};
  switch (agent) {
    case Agent::kClaude:
    case Agent::kCodex: return kTool;
    case Agent::kGemini: return kGemini;
    case Agent::kCursor: return kCursor;
  }
  return {};
}

Nesting NestingOf(Agent agent) {
  return agent == Agent::kCursor ? Nesting::kHandlers : Nesting::kGroups;
}

json::object MakeHandler(const Installation& installation, Made made) {
  json::object handler;
  switch (installation.agent) {
    case Agent::kClaude: {
      handler["type"] = "command";
      handler["command"] = installation.program;
      json::array words;
      for (const std::string& word : WordsOf(installation, made)) words.emplace_back(word);
      handler["args"] = std::move(words);
      handler["timeout"] = kSeconds;
      handler["onFailure"] = "block";
      return handler;
    }
    case Agent::kCodex:
      handler["type"] = "command";
      handler["command"] = CommandLine(installation, made);
      handler["timeout"] = kSeconds;
      return handler;
    case Agent::kGemini:
      handler["name"] = "cordon";
      handler["type"] = "command";
      handler["command"] = CommandLine(installation, made);
      handler["timeout"] = kSeconds * 1000;
      return handler;
    case Agent::kCursor:
      handler["command"] = CommandLine(installation, made);
      handler["timeout"] = kSeconds;
      handler["failClosed"] = true;
      return handler;
  }
  return handler;
}

json::object MakeGroup(json::object handler) {
  json::object group;
  group["matcher"] = kEverything;
  group["hooks"] = json::array{std::move(handler)};
  return group;
}

bool IsOurGroup(const json::object& group) {
  const json::value* matcher = group.if_contains("matcher");
  return group.size() == 2 && group.contains("hooks") && matcher != nullptr &&
         matcher->is_string() && matcher->get_string() == json::string_view(".*");
}

std::optional<Made> OursMade(const json::value& handler, Agent agent) {
  if (!handler.is_object()) return std::nullopt;
  const std::optional<std::string> text = TextOf(handler.get_object());
  if (!text) return std::nullopt;
  std::string call = " hook --agent ";
  call += AgentName(agent);
  call += ' ';
  const std::size_t at = text->find(call);
  if (at == std::string::npos) return std::nullopt;
  std::string_view program = std::string_view(*text).substr(0, at);
  if (program.ends_with('\'')) program.remove_suffix(1);
  program = program.substr(program.rfind('/') + 1);
  if (program.starts_with('\'')) program.remove_prefix(1);
  if (!program.starts_with("cordon")) return std::nullopt;
  for (const Made made : {Made::kEvent, Made::kHooks, Made::kFile, Made::kDirectory}) {
    std::string end = " --made ";
    end += MadeName(made);
    if (text->ends_with(end)) return made;
  }
  return Made::kEntry;
}

}  // namespace cordon::hook
