// The journal's lines as operations.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "undo/operation.h"

namespace cordon::undo {

struct History {
  std::vector<Operation> operations;  // oldest first
  std::size_t damaged = 0;            // lines that could not be read
};

// A last line without an end is not counted as damaged: it is being written, or was when
// its process was killed.
History ReadHistory(std::string_view text);

const Operation* Find(const History& history, OperationId id);

}  // namespace cordon::undo
