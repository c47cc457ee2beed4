#include "tools/undo_plan.h"

#include <utility>

#include "base/printable.h"
#include "base/reversed.h"
#include "base/try.h"
#include "tools/undo_report.h"

namespace cordon::tools {
namespace {

using undo::Change;
using undo::LooksLike;
using undo::Node;
using undo::NodeType;

bool IsCertain(const Change& change) { return change.ending == Change::Ending::kDone; }

// What was only moved need not have been kept to be recognised.
bool IsMoved(const Node& now, const Node& then) {
  if (then.lost.empty()) return LooksLike(now, then);
  return now.type == then.type && now.size == then.size;
}

Failure NotKept(const Change& change, const std::string& why) {
  Error error;
  error.code = ErrorCode::kUnsupported;
  error.op = "undo";
  error.rule = "undo";
  error.detail = "operation " + std::to_string(change.id) + " cannot be undone: " + why;
  Failure failure(std::move(error));
  failure.data["operation"] = change.id;
  failure.requested = change.path;
  return failure;
}

// These happen or do not; the others may have begun.
bool FailedWhole(const Change& change) {
  if (change.ending != Change::Ending::kFailed) return false;
  switch (change.kind) {
    case undo::Kind::kWrite:
    case undo::Kind::kMakeLink:
    case undo::Kind::kRename: return true;
    case undo::Kind::kRemove: return change.before.type != NodeType::kTree;
    default: return false;
  }
}

}  // namespace

Attempt<std::vector<UndoStep>> UndoPlan::Add(const undo::Operation& operation) {
  steps_.clear();
  for (const Change& change : Reversed(operation.changes)) {
    TRY(AddChange(change));
    if (change.ending == Change::Ending::kUnknown) TRY(AddRemains(change));
  }
  return std::exchange(steps_, {});
}

Attempt<bool> UndoPlan::AddChange(const Change& change) {
  if (FailedWhole(change)) return false;
  switch (change.kind) {
    case undo::Kind::kWrite: return AddWrite(change);
    case undo::Kind::kAppend: return AddAppend(change);
    case undo::Kind::kMakeDirectory: return AddMakeDirectory(change);
    case undo::Kind::kMakeLink: return AddMakeLink(change);
    case undo::Kind::kRemove: return AddRemove(change);
    case undo::Kind::kRename: break;
  }
  return AddRename(change);
}

void UndoPlan::Remove(const std::string& path, const Node& expects) {
  steps_.push_back({UndoStep::Kind::kRemove, path, {}, {}, expects});
  view_.Put(path, {});
}

Status UndoPlan::GiveBack(const std::string& path, const Node& node) {
  if (node.type != NodeType::kTree) {
    TRY_ASSIGN(const Node now, view_.At(path));
    steps_.push_back({UndoStep::Kind::kGiveBack, path, {}, node, now});
    view_.Put(path, node);
    return {};
  }
  TRY_ASSIGN(const std::vector<undo::TreeNode> tree, journal_.Tree(node));
  for (const undo::TreeNode& entry : tree) {
    const std::string below = entry.path.empty() ? path : path + "/" + entry.path;
    steps_.push_back({UndoStep::Kind::kGiveBack, below, {}, entry.node, {}});
  }
  view_.PutTree(path, tree);
  return {};
}

Attempt<bool> UndoPlan::AddWrite(const Change& change) {
  TRY_ASSIGN(const Node now, view_.At(change.path));
  if (!IsCertain(change) && LooksLike(now, change.before)) return false;
  if (!LooksLike(now, change.after)) return Stale(change, change.path, change.after, now);
  if (!change.before.lost.empty()) return NotKept(change, change.before.lost);
  if (!change.before.exists()) {
    Remove(change.path, now);
  } else {
    TRY(GiveBack(change.path, change.before));
  }
  return true;
}

Attempt<bool> UndoPlan::AddAppend(const Change& change) {
  TRY_ASSIGN(const Node now, view_.At(change.path));
  if (!IsCertain(change) && LooksLike(now, change.before)) return false;
  if (!change.before.lost.empty()) return NotKept(change, change.before.lost);
  if (!LooksLike(now, change.after)) {
    TRY_ASSIGN(const bool torn, IsTornAppend(change, now));
    if (!torn) return Stale(change, change.path, change.after, now);
  }
  if (!change.before.exists()) {
    Remove(change.path, now);
    return true;
  }
  steps_.push_back({UndoStep::Kind::kCut, change.path, {}, change.before, now});
  view_.Put(change.path, change.before);
  return true;
}

Attempt<bool> UndoPlan::AddMakeDirectory(const Change& change) {
  bool any = false;
  for (const std::string& path : Reversed(change.made)) {
    TRY_ASSIGN(const Node now, view_.At(path));
    if (!now.exists()) continue;  // nobody misses it
    if (!LooksLike(now, change.after)) return Stale(change, path, change.after, now);
    TRY_ASSIGN(const std::vector<std::string> names, view_.Names(path));
    if (!names.empty()) return NotEmpty(change, path, names.front(), ShownPath(guard_, path));
    Remove(path, now);
    any = true;
  }
  return any;
}

Attempt<bool> UndoPlan::AddMakeLink(const Change& change) {
  TRY_ASSIGN(const Node now, view_.At(change.path));
  if (!IsCertain(change) && !now.exists()) return false;
  if (!LooksLike(now, change.after)) return Stale(change, change.path, change.after, now);
  Remove(change.path, now);
  return true;
}

Attempt<bool> UndoPlan::AddRemove(const Change& change) {
  TRY_ASSIGN(const Node now, view_.At(change.path));
  const bool is_tree = change.before.type == NodeType::kTree;
  if (IsCertain(change)) {
    if (now.exists()) return Stale(change, change.path, change.after, now);
  } else if (now.exists()) {
    if (!is_tree || now.type != NodeType::kDirectory) {
      if (LooksLike(now, change.before)) return false;
      return Stale(change, change.path, change.before, now);
    }
    if (!change.before.lost.empty()) return NotKept(change, change.before.lost);
    TRY_ASSIGN(const std::vector<undo::TreeNode> tree, journal_.Tree(change.before));
    return AddRestOfTree(change, tree);
  }
  if (!change.before.lost.empty()) return NotKept(change, change.before.lost);
  if (!IsCertain(change) && is_tree) {
    TRY_ASSIGN(const bool beside, AddTreeBeside(change));
    if (beside) return true;
  }
  TRY(GiveBack(change.path, change.before));
  return true;
}

// Killed while a directory lay beside its name: it may still hold what it held.
Attempt<bool> UndoPlan::AddTreeBeside(const Change& change) {
  const std::string aside = ParentPath(change.path) + "/" + change.temporary;
  TRY_ASSIGN(const Node between, view_.At(aside));
  if (between.type != NodeType::kDirectory) return false;
  steps_.push_back({UndoStep::Kind::kMove, aside, change.path, {}, between});
  view_.Move(aside, change.path);
  TRY_ASSIGN(const std::vector<undo::TreeNode> tree, journal_.Tree(change.before));
  TRY(AddRestOfTree(change, tree));
  return true;
}

// A removal was interrupted: what is still there stays, what is missing comes back.
Attempt<bool> UndoPlan::AddRestOfTree(const Change& change,
                                      const std::vector<undo::TreeNode>& tree) {
  bool any = false;
  for (const undo::TreeNode& entry : tree) {
    const std::string path = entry.path.empty() ? change.path : change.path + "/" + entry.path;
    TRY_ASSIGN(const Node now, view_.At(path));
    if (LooksLike(now, entry.node)) continue;
    if (now.exists()) return Stale(change, path, entry.node, now);
    TRY(GiveBack(path, entry.node));
    any = true;
  }
  return any;
}

Attempt<bool> UndoPlan::AddRename(const Change& change) {
  TRY_ASSIGN(const Node at_old, view_.At(change.path));
  TRY_ASSIGN(const Node at_new, view_.At(change.to));
  if (!IsCertain(change) && IsMoved(at_old, change.before) && LooksLike(at_new, change.before_to)) {
    return false;
  }
  std::string holder = change.to;
  if (!IsCertain(change) && !at_old.exists()) {
    // Killed while the object was between its names.
    const std::string aside = ParentPath(change.path) + "/" + change.temporary;
    TRY_ASSIGN(const Node between, view_.At(aside));
    if (IsMoved(between, change.before) && LooksLike(at_new, change.before_to)) holder = aside;
  }
  if (holder == change.to) {
    if (!IsMoved(at_new, change.before)) return Stale(change, change.to, change.before, at_new);
    if (at_old.exists()) {
      // Killed after the two had changed places, before the old one was removed.
      const bool exchanged = !IsCertain(change) && LooksLike(at_old, change.before_to);
      if (!exchanged) return Stale(change, change.path, change.after, at_old);
      Remove(change.path, at_old);
    }
    if (!change.before_to.lost.empty()) return NotKept(change, change.before_to.lost);
  }
  TRY_ASSIGN(const Node moved, view_.At(holder));
  steps_.push_back({UndoStep::Kind::kMove, holder, change.path, {}, moved});
  view_.Move(holder, change.path);
  if (holder == change.to && change.before_to.exists()) {
    TRY(GiveBack(change.to, change.before_to));
  }
  return true;
}

Status UndoPlan::AddRemains(const Change& change) {
  if (change.temporary.empty() || change.kind == undo::Kind::kMakeDirectory) return {};
  const std::string path = ParentPath(change.path) + "/" + change.temporary;
  TRY_ASSIGN(const Node node, view_.At(path));
  if (!node.exists()) return {};
  TRY_ASSIGN(const bool own, IsRemains(change, path, node));
  if (own) Remove(path, node);
  return {};
}

// Whatever else has come under that name stays.
Result<bool> UndoPlan::IsRemains(const Change& change, const std::string& path, const Node& node) {
  for (const Node* known : {&change.before, &change.before_to, &change.after}) {
    Node content = *known;
    content.mode.reset();  // which may not have been set yet
    if (known->exists() && LooksLike(node, content)) return true;
  }
  if (node.type != NodeType::kFile || !change.after.content) return false;
  const auto whole = journal_.Content(*change.after.content);
  if (!whole || node.size > whole->size()) return false;
  TRY_ASSIGN(const std::string part, ReadNow(path, node));
  return whole->starts_with(part);
}

Result<bool> UndoPlan::IsTornAppend(const Change& change, const Node& now) {
  if (IsCertain(change) || now.type != NodeType::kFile || !change.added) return false;
  if (now.size < change.before.size || now.size > change.after.size) return false;
  TRY_ASSIGN(const std::string bytes, ReadNow(change.path, now));
  const std::string_view text = bytes;
  const std::string_view old =
      text.substr(0, std::min<std::size_t>(change.before.size, text.size()));
  if (change.before.content && !SameDigest(Sha256(old), *change.before.content)) return false;
  const auto added = journal_.Content(*change.added);
  return added && std::string_view(*added).starts_with(text.substr(old.size()));
}

Result<std::string> UndoPlan::ReadNow(const std::string& path, const Node& node) {
  const std::string place = view_.PlaceOnDisk(path);
  // What will be given back first was kept when it was taken away.
  if (place.empty() && node.content) return journal_.Content(*node.content);
  if (place.empty()) {
    Error error;
    error.code = ErrorCode::kNotFound;
    error.op = "undo";
    error.detail = "this is not on the disk now";
    return error;
  }
  TRY_ASSIGN(confine::File file, guard_.OpenRead(call_, place));
  return file.ReadAll(kMostCompared);
}

Failure UndoPlan::Stale(const Change& change, const std::string& path, const Node& then,
                        const Node& now) {
  // The journal may hold what the agent must not read: a difference tells it, so it is told
  // only where reading is allowed, of what was there as of what is.
  const bool tellable =
      guard_.boundary().Admit(guard_.session().subject, Operation::kRead, path).has_value() &&
      (!now.exists() || now.type != NodeType::kFile || ReadNow(path, now).has_value());
  const auto content_of = [&](const Node& node, bool on_disk) -> std::optional<std::string> {
    if (!tellable) return std::nullopt;
    if (!node.exists()) return std::string();
    if (node.type != NodeType::kFile) return std::nullopt;
    if (node.content) {
      if (auto kept = journal_.Content(*node.content)) return std::move(*kept);
    }
    if (!on_disk) return std::nullopt;
    if (auto read = ReadNow(path, node)) return std::move(*read);
    return std::nullopt;
  };
  return ChangedSince(change.id, ShownPath(guard_, path), {then, content_of(then, false)},
                      {now, content_of(now, true)});
}

}  // namespace cordon::tools
