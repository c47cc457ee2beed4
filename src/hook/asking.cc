#include "hook/event.h"

namespace cordon::hook {
namespace {

// Cursor reads "ask" only where it is about a command or a tool of another server; those it
// announces twice.
Asking AskingOfCursor(const Event& event) {
  if (event.name == "beforeShellExecution" || event.name == "beforeMCPExecution") {
    return Asking::kHere;
  }
  if (event.name == "preToolUse" && (event.tool == "Shell" || event.tool.starts_with("MCP:"))) {
    return Asking::kElsewhere;
  }
  return Asking::kImpossible;
}

}  // namespace

Asking AskingAt(const Event& event) {
  switch (event.agent) {
    case Agent::kClaude: return Asking::kHere;
    case Agent::kCursor: return AskingOfCursor(event);
    case Agent::kCodex:  // runs the tool when it hears "ask"
    case Agent::kGemini: return Asking::kImpossible;
  }
  return Asking::kImpossible;
}

}  // namespace cordon::hook
