#include "undo/best_effort.h"

namespace cordon::undo {
namespace {

constexpr const char* kNotUndoable = "; what is done meanwhile cannot be undone";

// The detail says that something was refused, which is not so here.
std::string WithoutRefusal(const std::string& detail) {
  return detail.substr(0, detail.find(", so the operation"));
}

}  // namespace

Result<Kept> BestEffort::Begin(const Intent& intent) {
  Result<Kept> kept = next_->Begin(intent);
  if (kept || kept.error().rule != "undo") return kept;
  warn_(WithoutRefusal(kept.error().detail) + kNotUndoable);
  return Kept{};
}

Status BestEffort::End(const Kept& kept, Outcome outcome, std::optional<std::uint32_t> mode) {
  const Status ended = next_->End(kept, outcome, mode);
  if (!ended) warn_(WithoutRefusal(ended.error().detail));
  return {};
}

}  // namespace cordon::undo
