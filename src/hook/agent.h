// The agents whose hooks are spoken.
#pragma once

#include <optional>
#include <string_view>

namespace cordon::hook {

enum class Agent { kClaude, kCodex, kGemini, kCursor };

std::string_view AgentName(Agent agent);  // "claude", "codex", "gemini", "cursor"
std::optional<Agent> ParseAgent(std::string_view name);

}  // namespace cordon::hook
