#include "store/records.h"

#include <array>
#include <utility>

namespace cordon::store {
namespace {

constexpr std::array<std::pair<SandboxState, std::string_view>, 6> kStates = {{
    {SandboxState::kPending, "pending"},
    {SandboxState::kReady, "ready"},
    {SandboxState::kPaused, "paused"},
    {SandboxState::kTerminating, "terminating"},
    {SandboxState::kTerminated, "terminated"},
    {SandboxState::kFailed, "failed"},
}};

}  // namespace

std::string_view StateName(SandboxState state) {
  for (const auto& [known, name] : kStates) {
    if (known == state) return name;
  }
  return "failed";
}

std::optional<SandboxState> ParseState(std::string_view text) {
  for (const auto& [state, name] : kStates) {
    if (name == text) return state;
  }
  return std::nullopt;
}

bool HasEnded(SandboxState state) {
  return state == SandboxState::kTerminated || state == SandboxState::kFailed;
}

}  // namespace cordon::store
