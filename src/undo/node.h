// What stood at a path at one moment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/sha256.h"

namespace cordon::undo {

enum class NodeType {
  kAbsent,
  kFile,
  kDirectory,  // itself, without what is below
  kLink,
  kTree,   // a directory with everything below
  kOther,  // a pipe, a socket, a device: cannot be given back
};

struct Node {
  NodeType type = NodeType::kAbsent;
  std::optional<std::uint32_t> mode;  // of a file, a directory, a tree; unset: not known
  std::uint64_t size = 0;             // of a file, or of all files of a tree
  std::int64_t modified_ns = 0;       // of a file
  std::optional<Digest> content;      // of a file's bytes, or of the list of a tree's entries
  std::optional<Digest> attributes;   // of a file's attributes as kept; unset: it has none
  std::string text;                   // of a link
  std::string lost;                   // not empty: why it could not be kept

  bool exists() const { return type != NodeType::kAbsent; }
};

// Whether who sees `now` sees what `then` was: the kind, a file's bytes and mode, a
// link's text. Not the time, nor a directory's mode: what is in it would change both.
// A mode that is not known is any. What could not be kept is like nothing.
bool LooksLike(const Node& now, const Node& then);

// An entry of a kept tree; parents stand before what is in them.
struct TreeNode {
  std::string path;  // below the top; "" is the top itself
  Node node;
};

}  // namespace cordon::undo
