// The tree as it will be when some operations have been undone.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cordon/result.h"
#include "guard/guard.h"
#include "undo/node.h"

namespace cordon::tools {

// Planning an undo changes this and not the disk, so that every target is compared
// before the first is touched. Paths are absolute.
class UndoView {
 public:
  // Both must outlive it.
  UndoView(guard::Guard& guard, const guard::Call& call) : guard_(guard), call_(call) {}

  // What is, or will be, at a path, itself.
  Result<undo::Node> At(const std::string& path);
  // Names in a directory; none if it is not there.
  Result<std::vector<std::string>> Names(const std::string& path);
  // Where the disk has now what will be at a path; empty: nowhere.
  std::string PlaceOnDisk(std::string path) const;

  // Instead of what is there, and nothing below it.
  void Put(std::string path, undo::Node node);
  // With everything below.
  void PutTree(std::string path, const std::vector<undo::TreeNode>& tree);
  void Move(std::string from, std::string to);

 private:
  struct Placed {
    std::string path;
    std::map<std::string, undo::Node> nodes;  // by what follows `path`; "" is itself
  };
  struct Moved {
    std::string from, to;
  };
  using Layer = std::variant<Placed, Moved>;

  // No link on the way is followed: a path below one is nowhere.
  Result<undo::Node> OnDisk(const std::string& path);

  guard::Guard& guard_;
  const guard::Call& call_;
  std::vector<Layer> layers_;               // oldest first
  std::map<std::string, undo::Node> disk_;  // as it was looked at
};

std::string ParentPath(const std::string& path);
std::string LastName(const std::string& path);

}  // namespace cordon::tools
