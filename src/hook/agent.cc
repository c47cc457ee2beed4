#include "hook/agent.h"

namespace cordon::hook {

std::string_view AgentName(Agent agent) {
  switch (agent) {
    case Agent::kClaude: return "claude";
    case Agent::kCodex: return "codex";
    case Agent::kGemini: return "gemini";
    case Agent::kCursor: return "cursor";
  }
  return "";
}

std::optional<Agent> ParseAgent(std::string_view name) {
  for (const Agent agent : {Agent::kClaude, Agent::kCodex, Agent::kGemini, Agent::kCursor}) {
    if (AgentName(agent) == name) return agent;
  }
  return std::nullopt;
}

}  // namespace cordon::hook
