// What the journal knows of one operation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "undo/node.h"

namespace cordon::undo {

enum class Kind { kWrite, kAppend, kMakeDirectory, kMakeLink, kRemove, kRename };
std::string_view KindName(Kind kind);  // "write", "append", "mkdir", "link", "remove", "rename"
std::optional<Kind> ParseKind(std::string_view name);

// Numbers count from 1, over all sessions; 0 is none.
using OperationId = std::uint64_t;

// On whose behalf, and where.
struct Origin {
  std::int64_t time_ns = 0;
  std::string session;
  std::string actor;
  std::string tool;
  std::string workspace;  // real path of the first root
};

// One effect on the disk. Paths are real and absolute.
struct Change {
  OperationId id = 0;
  OperationId group = 0;  // of the undo it is a part of
  Kind kind = Kind::kWrite;
  std::string path;
  std::string to;                 // of a rename
  std::vector<std::string> made;  // of a mkdir: outermost first
  Node before;                    // at `path`; of a rename, what was moved
  Node before_to;                 // at `to`
  Node after;                     // at `path`; of a rename, absent
  std::optional<Digest> added;    // of an append: the bytes
  std::string temporary;          // name of what may lie beside `path` after a kill
  enum class Ending {
    kUnknown,  // no end is recorded: it was killed, or is under way
    kDone,
    kFailed,  // part of it may have happened
  };
  Ending ending = Ending::kUnknown;
};

// A change, or an undo with all its changes.
struct Operation {
  OperationId id = 0;
  Origin origin;
  OperationId undoes = 0;       // not 0: it is the undo of that one
  bool complete = true;         // of an undo: every step was done
  OperationId undone_by = 0;    // not 0: that undo took it back, and was not taken back itself
  std::vector<Change> changes;  // oldest first
};

}  // namespace cordon::undo
