// The four agents' inputs, read into an Event.
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <optional>
#include <string>
#include <utility>

#include "base/printable.h"
#include "base/try.h"
#include "hook/event.h"
#include "hook/gather.h"
#include "hook/tool_table.h"

namespace cordon::hook {
namespace {

namespace json = boost::json;

constexpr std::size_t kMaxDepth = 64;

Result<json::object> ParseObject(std::string_view text, std::string_view what) {
  json::parse_options options;
  options.max_depth = kMaxDepth;
  json::error_code failure;
  json::value value = json::parse({text.data(), text.size()}, failure, {}, options);
  if (failure) return Malformed(std::string(what) + " is not JSON: " + failure.message());
  if (!value.is_object()) return Malformed(std::string(what) + " is not a JSON object");
  return std::move(value.get_object());
}

// Unset: not there, or null.
Result<std::optional<std::string>> Text(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  if (value == nullptr || value->is_null()) return std::optional<std::string>();
  if (!value->is_string()) {
    return Malformed("the field " + Quoted(name) + " is not text");
  }
  const json::string& text = value->get_string();
  return std::optional<std::string>(std::string(text.data(), text.size()));
}

Result<std::string> NeededText(const json::object& object, std::string_view name) {
  TRY_ASSIGN(std::optional<std::string> text, Text(object, name));
  if (!text || text->empty()) return Malformed("the field " + Quoted(name) + " is missing");
  return std::move(*text);
}

Status CheckAbsolute(std::string_view name, std::string_view path) {
  if (path.starts_with('/') && path.find('\0') == std::string_view::npos) return {};
  return Malformed("the field " + Quoted(name) + " is not an absolute path");
}

// An object; Cursor puts it into a text for tools of other servers.
Result<json::value> ToolInput(const json::object& object) {
  const json::value* value = object.if_contains("tool_input");
  if (value == nullptr) return Malformed("the field \"tool_input\" is missing");
  if (value->is_object()) return *value;
  if (!value->is_string()) return Malformed("the field \"tool_input\" is not an object");
  const json::string& text = value->get_string();
  if (text.empty()) return json::value(json::object());
  TRY_ASSIGN(json::object inner, ParseObject({text.data(), text.size()}, "\"tool_input\""));
  return json::value(std::move(inner));
}

// Whether an event that nobody here knows is about something that is about to be done. Those
// after the fact tell of the same fields.
Status CheckNoCall(const json::object& object, std::string_view name) {
  std::string lower(name.substr(0, 5));
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (lower == "after" || lower.starts_with("post")) return {};
  for (const std::string_view field : {"tool_name", "tool_input", "toolName", "toolInput", "tool",
                                       "tool_calls", "command", "file_path"}) {
    if (!object.contains(field)) continue;
    return Malformed("the event " + Quoted(name) + " is not known here and has a field " +
                     Quoted(field) + ", so it may be a call that nobody judges");
  }
  return {};
}

Status ReadCall(const json::object& object, Event& event) {
  TRY_ASSIGN(std::string tool, NeededText(object, "tool_name"));
  TRY_ASSIGN(const json::value input, ToolInput(object));
  // As the same call is named at preToolUse, so that one rule holds for both.
  const bool is_bare = event.name == "beforeMCPExecution" && !tool.starts_with("MCP:");
  event.tool = is_bare ? "MCP:" + tool : std::move(tool);
  if (const Tool* known = FindTool(event.agent, event.tool)) {
    return GatherKnown(*known, input.get_object(), event);
  }
  return GatherUnknown(event.tool, input, event);
}

Status ReadRoots(const json::object& object, Event& event) {
  const json::value* roots = object.if_contains("workspace_roots");
  if (roots == nullptr || !roots->is_array() || roots->get_array().empty()) {
    return Malformed("the field \"workspace_roots\" is not a list of directories");
  }
  for (const json::value& root : roots->get_array()) {
    if (!root.is_string()) return Malformed("one of \"workspace_roots\" is not text");
    const json::string& text = root.get_string();
    TRY(CheckAbsolute("workspace_roots", {text.data(), text.size()}));
    event.workspace_roots.emplace_back(text.data(), text.size());
  }
  return {};
}

Status ReadCursor(const json::object& object, Event& event) {
  const bool is_call = event.name == "preToolUse" || event.name == "beforeMCPExecution";
  const Tool* itself = is_call ? nullptr : FindTool(event.agent, event.name);
  // Its tools are in the same table as the events that are about a file or a command.
  if (!is_call && (itself == nullptr || !event.name.starts_with("before"))) {
    return CheckNoCall(object, event.name);
  }
  TRY(ReadRoots(object, event));
  TRY_ASSIGN(std::optional<std::string> cwd, Text(object, "cwd"));
  event.cwd = cwd && !cwd->empty() ? std::move(*cwd) : event.workspace_roots.front();
  TRY(CheckAbsolute("cwd", event.cwd));
  if (is_call) return ReadCall(object, event);
  event.tool = event.name == "beforeShellExecution" ? "Shell" : "Read";
  return GatherKnown(*itself, object, event);
}

}  // namespace

Result<Event> ParseEvent(Agent agent, std::string_view untrusted) {
  if (untrusted.size() > kMaxInputBytes) {
    Error error = Malformed("it is longer than " + std::to_string(kMaxInputBytes) + " bytes");
    error.code = ErrorCode::kTooLarge;
    return error;
  }
  TRY_ASSIGN(const json::object object, ParseObject(untrusted, "it"));
  Event event;
  event.agent = agent;
  TRY_ASSIGN(event.name, NeededText(object, "hook_event_name"));
  TRY_ASSIGN(const std::optional<std::string> session,
             Text(object, agent == Agent::kCursor ? "conversation_id" : "session_id"));
  event.session = session.value_or("");
  if (agent == Agent::kCursor) {
    TRY(ReadCursor(object, event));
    return event;
  }
  if (event.name != (agent == Agent::kGemini ? "BeforeTool" : "PreToolUse")) {
    TRY(CheckNoCall(object, event.name));
    return event;
  }
  TRY_ASSIGN(event.cwd, NeededText(object, "cwd"));
  TRY(CheckAbsolute("cwd", event.cwd));
  TRY(ReadCall(object, event));
  return event;
}

}  // namespace cordon::hook
