#include "tools/undo_report.h"

#include <utility>

#include "base/printable.h"
#include "path/posix.h"
#include "tools/diff.h"
#include "tools/result_object.h"

namespace cordon::tools {
namespace {

using undo::Node;
using undo::NodeType;

std::string_view InWords(const Node& node) {
  switch (node.type) {
    case NodeType::kAbsent: return "nothing";
    case NodeType::kFile: return "a file";
    case NodeType::kLink: return "a symbolic link";
    case NodeType::kDirectory:
    case NodeType::kTree: return "a directory";
    case NodeType::kOther: break;
  }
  return "something else";
}

std::string DiffOf(const std::string& shown, const SeenState& left, const SeenState& now) {
  if (left.content && now.content && *left.content != *now.content) {
    return UnifiedDiff(*left.content, *now.content, shown + " (as it was left)", shown + " (now)");
  }
  std::string text = "It was left as " + std::string(InWords(left.node)) + "; now there is " +
                     std::string(InWords(now.node));
  if (left.node.type == NodeType::kFile && now.node.type == NodeType::kFile) {
    const bool same = left.content && now.content;
    text += same ? " with another mode" : " with another content, which cannot be shown";
  }
  return text + ".\n";
}

Failure Stale(undo::OperationId operation, const std::string& shown, std::string detail) {
  Error error;
  error.code = ErrorCode::kStaleFile;
  error.op = "undo";
  error.rule = "undo";
  error.detail = std::move(detail);
  Failure failure(std::move(error));
  failure.data["operation"] = operation;
  AddPath(failure.data, "path", shown);
  failure.requested = shown;
  failure.advice =
      "Nothing was undone. Somebody changed this since: show the user the difference and ask what "
      "to do; do not undo it by other means.";
  return failure;
}

const undo::Change* FirstOf(const undo::Operation& operation) {
  return operation.changes.empty() ? nullptr : &operation.changes.front();
}

}  // namespace

std::string ShownPath(const guard::Guard& guard, const std::string& path) {
  std::string_view below;
  if (!path::StripRoot(path, guard.boundary().workspace().real_path(), below)) return path;
  return below.empty() ? "." : std::string(below);
}

Failure ChangedSince(undo::OperationId operation, const std::string& shown, const SeenState& left,
                     const SeenState& now) {
  Failure failure =
      Stale(operation, shown,
            "this was changed since operation " + std::to_string(operation) + " by somebody else");
  failure.data["diff"] = ValidUtf8(DiffOf(shown, left, now));
  return failure;
}

Failure NotEmpty(const undo::Change& change, const std::string& /*path*/, const std::string& name,
                 const std::string& shown) {
  return Stale(change.id, shown,
               "the directory that operation " + std::to_string(change.id) +
                   " made is not empty any more: it has " + Quoted(name));
}

boost::json::object OperationObject(const guard::Guard& guard, const undo::Operation& operation) {
  boost::json::object object;
  object["operation"] = operation.id;
  object["time_ns"] = operation.origin.time_ns;
  object["session"] = ValidUtf8(operation.origin.session);
  object["actor"] = ValidUtf8(operation.origin.actor);
  object["tool"] = ValidUtf8(operation.origin.tool);
  if (const undo::Change* const first = FirstOf(operation)) {
    object["kind"] = KindName(first->kind);
    AddPath(object, "path", ShownPath(guard, first->path));
    if (!first->to.empty()) AddPath(object, "to", ShownPath(guard, first->to));
    object["changes"] = operation.changes.size();
    if (first->ending == undo::Change::Ending::kUnknown) object["interrupted"] = true;
    for (const undo::Change& change : operation.changes) {
      const std::string& lost =
          !change.before.lost.empty() ? change.before.lost : change.before_to.lost;
      if (!lost.empty()) object["not_undoable"] = ValidUtf8(lost);
    }
  }
  if (operation.undoes != 0) object["undoes"] = operation.undoes;
  if (operation.undone_by != 0) object["undone_by"] = operation.undone_by;
  return object;
}

std::string OperationLine(const guard::Guard& guard, const undo::Operation& operation) {
  std::string line = "#" + std::to_string(operation.id) + "  ";
  if (operation.undoes != 0) line += "undo of #" + std::to_string(operation.undoes) + "  ";
  if (const undo::Change* const first = FirstOf(operation)) {
    line += std::string(KindName(first->kind)) + "  " + Printable(ShownPath(guard, first->path));
    if (!first->to.empty()) line += " -> " + Printable(ShownPath(guard, first->to));
    if (operation.changes.size() > 1) {
      line += "  and " + std::to_string(operation.changes.size() - 1) + " more";
    }
    if (first->ending == undo::Change::Ending::kUnknown) line += "  (interrupted)";
  }
  if (operation.undone_by != 0)
    line += "  (undone by #" + std::to_string(operation.undone_by) + ")";
  return line;
}

}  // namespace cordon::tools
