#include "undo/node.h"

namespace cordon::undo {

bool LooksLike(const Node& now, const Node& then) {
  if (!now.lost.empty() || !then.lost.empty()) return false;
  const auto is_directory = [](const Node& node) {
    return node.type == NodeType::kDirectory || node.type == NodeType::kTree;
  };
  if (is_directory(now) && is_directory(then)) return true;
  if (now.type != then.type) return false;
  switch (now.type) {
    case NodeType::kAbsent: return true;
    case NodeType::kLink: return now.text == then.text;
    case NodeType::kFile: break;
    default: return false;
  }
  if (now.mode && then.mode && *now.mode != *then.mode) return false;
  return now.content && then.content && now.size == then.size &&
         SameDigest(*now.content, *then.content);
}

}  // namespace cordon::undo
