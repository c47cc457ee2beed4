// The journal's lines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "undo/node.h"
#include "undo/operation.h"

namespace cordon::undo {

enum class Event {
  kBegin,   // of a change
  kEnd,     // of a change
  kUndo,    // begins, of the operation `undoes`
  kUndone,  // an undo is complete
  kState,   // nothing happened; carries the counters alone
};

struct Entry {
  Event event = Event::kState;
  OperationId id = 0;
  Origin origin;           // kBegin, kUndo
  OperationId undoes = 0;  // kUndo
  Change change;           // kBegin; of kEnd only id, ending and after.mode
  // As of this line, so that the last one tells them without the others.
  OperationId last = 0;     // highest number given
  std::uint64_t total = 0;  // bytes kept, the journal's own included
};

// One line, its end included: a checksum, a space, and JSON.
std::string FormatEntry(const Entry& entry);

// `line` is without its end. Unset: it is torn, damaged, or of a later version.
std::optional<Entry> ParseEntry(std::string_view line);

// The list of a tree's entries as an object, and back. Unset: it is none.
std::string FormatTree(const std::vector<TreeNode>& tree);
std::optional<std::vector<TreeNode>> ParseTree(std::string_view text);

}  // namespace cordon::undo
