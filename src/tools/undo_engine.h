// Taking back what was done through the guard, through the guard.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "guard/guard.h"
#include "tools/outcome.h"
#include "undo/operation.h"

namespace cordon::tools {

// Exactly one of the three.
struct UndoRequest {
  std::optional<std::uint64_t> steps;  // the last so many of this workspace
  std::optional<undo::OperationId> operation;
  std::optional<std::string> session;  // all of that session in this workspace
  std::optional<std::string> path;     // with steps: only operations on this; absolute
  enum class Mode { kDo, kOnlyTell } mode = Mode::kDo;
};

// Guarantees: every target is compared with what the operation left before the first is
//   changed; where one is another by now, nothing is changed. Every change goes through
//   the guard, under its rules, questions and records, and on condition that its target
//   is still what was compared. An undo is an operation of the journal and can be undone.
// Does not guarantee: that a later step succeeds; then those before it stay done, the
//   failure tells which, and the next undo takes the unfinished one back first.
// Returns the operations that were undone, newest first.
Attempt<std::vector<undo::Operation>> Undo(guard::Guard& guard, const guard::Call& call,
                                           const UndoRequest& request);

}  // namespace cordon::tools
