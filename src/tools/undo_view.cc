#include "tools/undo_view.h"

#include <optional>
#include <utility>

#include "base/reversed.h"
#include "base/try.h"

namespace cordon::tools {
namespace {

// What follows `top` in `path`: "" for itself, "/x" for what is below; unset: elsewhere.
std::optional<std::string> Below(const std::string& path, const std::string& top) {
  if (!path.starts_with(top)) return std::nullopt;
  if (path.size() > top.size() && path[top.size()] != '/') return std::nullopt;
  return path.substr(top.size());
}

}  // namespace

std::string ParentPath(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string LastName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

Result<undo::Node> UndoView::At(const std::string& path) {
  std::string wanted = path;
  for (const Layer& layer : Reversed(layers_)) {
    if (const auto* const placed = std::get_if<Placed>(&layer)) {
      const std::optional<std::string> below = Below(wanted, placed->path);
      if (!below) continue;
      const auto found = placed->nodes.find(*below);
      return found == placed->nodes.end() ? undo::Node{} : found->second;
    }
    const auto& moved = std::get<Moved>(layer);
    if (const auto below = Below(wanted, moved.to)) {
      wanted = moved.from + *below;
    } else if (Below(wanted, moved.from)) {
      return undo::Node{};
    }
  }
  return OnDisk(wanted);
}

Result<undo::Node> UndoView::OnDisk(const std::string& path) {
  const auto known = disk_.find(path);
  if (known != disk_.end()) return known->second;
  undo::Node node;
  bool reachable = true;
  const std::string parent = ParentPath(path);
  if (parent.size() > guard_.boundary().workspace().real_path().size() &&
      Below(parent, guard_.boundary().workspace().real_path())) {
    TRY_ASSIGN(const undo::Node above, OnDisk(parent));
    reachable = above.type == undo::NodeType::kDirectory;
  }
  if (reachable) {
    TRY_ASSIGN(node, guard_.Examine(call_, path));
  }
  return disk_.emplace(path, std::move(node)).first->second;
}

Result<std::vector<std::string>> UndoView::Names(const std::string& path) {
  std::string wanted = path;
  std::map<std::string, bool> decided;  // what a newer layer says holds
  bool on_disk = true;
  for (const Layer& layer : Reversed(layers_)) {
    if (const auto* const placed = std::get_if<Placed>(&layer)) {
      if (ParentPath(placed->path) == wanted) {
        decided.try_emplace(LastName(placed->path), placed->nodes.at("").exists());
      }
      const std::optional<std::string> below = Below(wanted, placed->path);
      if (!below) continue;
      for (const auto& [rest, node] : placed->nodes) {
        if (!rest.empty() && ParentPath(placed->path + rest) == wanted) {
          decided.try_emplace(LastName(rest), true);
        }
      }
      on_disk = false;
      break;
    }
    const auto& moved = std::get<Moved>(layer);
    if (ParentPath(moved.to) == wanted) decided.try_emplace(LastName(moved.to), true);
    if (ParentPath(moved.from) == wanted) decided.try_emplace(LastName(moved.from), false);
    if (const auto below = Below(wanted, moved.to)) {
      wanted = moved.from + *below;
    } else if (Below(wanted, moved.from)) {
      on_disk = false;
      break;
    }
  }
  if (on_disk) {
    auto listed = guard_.List(call_, wanted);
    if (listed) {
      for (const auto& entry : *listed) decided.try_emplace(entry.name, true);
    } else if (listed.error().code != ErrorCode::kNotFound &&
               listed.error().code != ErrorCode::kNotADirectory) {
      return std::move(listed.error());
    }
  }
  std::vector<std::string> names;
  for (const auto& [name, there] : decided) {
    if (there) names.push_back(name);
  }
  return names;
}

std::string UndoView::PlaceOnDisk(std::string path) const {
  for (const Layer& layer : Reversed(layers_)) {
    if (const auto* const placed = std::get_if<Placed>(&layer)) {
      if (Below(path, placed->path)) return {};
      continue;
    }
    const auto& moved = std::get<Moved>(layer);
    if (const auto below = Below(path, moved.to)) {
      path = moved.from + *below;
    } else if (Below(path, moved.from)) {
      return {};
    }
  }
  return path;
}

void UndoView::Put(std::string path, undo::Node node) {
  Placed placed{std::move(path), {}};
  placed.nodes.emplace("", std::move(node));
  layers_.emplace_back(std::move(placed));
}

void UndoView::PutTree(std::string path, const std::vector<undo::TreeNode>& tree) {
  Placed placed{std::move(path), {}};
  for (const undo::TreeNode& entry : tree) {
    placed.nodes.emplace(entry.path.empty() ? "" : "/" + entry.path, entry.node);
  }
  layers_.emplace_back(std::move(placed));
}

void UndoView::Move(std::string from, std::string to) {
  layers_.emplace_back(Moved{std::move(from), std::move(to)});
}

}  // namespace cordon::tools
