#include "serve/change_diff.h"

#include <optional>
#include <string>
#include <utility>

#include "serve/file_place.h"
#include "tools/diff.h"
#include "tools/result_object.h"
#include "tools/undo_report.h"

namespace cordon::serve {
namespace {

namespace json = boost::json;
using undo::Change;
using undo::Kind;
using undo::Node;
using undo::NodeType;

constexpr std::size_t kMostShown = std::size_t{1} << 20;

// Of a file that was kept, or of no file; unset: it cannot be shown.
std::optional<std::string> Kept(const undo::Journal& journal, const Node& node) {
  if (!node.exists()) return "";
  if (node.type != NodeType::kFile || !node.content || node.size > kMostShown) return std::nullopt;
  auto content = journal.Content(*node.content);
  if (!content) return std::nullopt;
  return std::move(*content);
}

// What is there now, if that is what the change left.
std::optional<std::string> StillThere(guard::Guard& guard, const Change& change) {
  if (!change.after.content) return std::nullopt;
  auto file = guard.OpenRead(FileCall(policy::ToolKind::kRead), change.path);
  if (!file) return std::nullopt;
  auto content = file->ReadAll(kMostShown);
  if (!content || Sha256(*content) != *change.after.content) return std::nullopt;
  return std::move(*content);
}

std::optional<std::string> After(guard::Guard& guard, const undo::Journal& journal,
                                 const Change& change) {
  if (auto kept = Kept(journal, change.after)) return kept;
  return StillThere(guard, change);
}

void AddDiff(json::object& object, const std::string& shown, const std::string& before,
             const std::string& after, const Change& change) {
  const std::string none = "/dev/null";
  std::string diff = tools::UnifiedDiff(before, after, change.before.exists() ? shown : none,
                                        change.after.exists() ? shown : none);
  if (diff.empty()) {
    object["note"] = "The content is the same as before.";
  } else {
    object["diff"] = tools::ValidUtf8(diff);
  }
}

void Tell(guard::Guard& guard, const undo::Journal& journal, const Change& change,
          const std::string& shown, json::object& object) {
  if (!change.before.lost.empty()) {
    object["note"] = tools::ValidUtf8(change.before.lost);
    return;
  }
  const bool content = change.kind == Kind::kWrite || change.kind == Kind::kRemove;
  const bool file = !change.before.exists() || change.before.type == NodeType::kFile;
  if (content && file) {
    const auto before = Kept(journal, change.before);
    const auto after = After(guard, journal, change);
    if (before && after) return AddDiff(object, shown, *before, *after, change);
    object["note"] = "It is too large to show, or what it left was changed since by other means.";
  } else if (change.kind == Kind::kAppend && change.added) {
    const auto added = journal.Content(*change.added);
    if (!added || added->size() > kMostShown) return;
    object["diff"] = tools::ValidUtf8(tools::UnifiedDiff("", *added, shown, shown + " (added)"));
    object["note"] = "Added at the end.";
  } else if (change.before.type == NodeType::kTree) {
    object["note"] = "A directory with everything below it.";
  } else if (change.kind == Kind::kMakeLink) {
    object["note"] = "A link to " + tools::ValidUtf8(change.after.text);
  }
}

}  // namespace

json::object ChangedFileObject(guard::Guard& guard, const undo::Journal& journal,
                               const Change& change) {
  const std::string shown = tools::ShownPath(guard, change.path);
  json::object object{{"kind", undo::KindName(change.kind)}, {"path", tools::ValidUtf8(shown)}};
  if (!change.to.empty()) object["to"] = tools::ValidUtf8(tools::ShownPath(guard, change.to));
  Tell(guard, journal, change, shown, object);
  return object;
}

}  // namespace cordon::serve
