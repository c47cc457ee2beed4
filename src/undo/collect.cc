// Journal::Collect: forgetting the oldest.
#include <map>
#include <set>
#include <utility>

#include "base/reversed.h"
#include "base/try.h"
#include "undo/journal.h"

namespace cordon::undo {
namespace {

// What one operation needs.
struct Need {
  std::set<Digest> objects;
  std::uint64_t line_bytes = 0;
};

OperationId OwnerOf(const Entry& entry, std::map<OperationId, OperationId>& owners) {
  if (entry.event == Event::kBegin && entry.change.group != 0) {
    owners[entry.id] = entry.change.group;
  }
  const auto found = owners.find(entry.id);
  return found == owners.end() ? entry.id : found->second;
}

// Calls `use` for each line that can be read, with the operation it belongs to.
template <typename Use>
void ForEachLine(std::string_view text, const Use& use) {
  std::map<OperationId, OperationId> owners;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    const std::optional<Entry> entry = ParseEntry(line);
    if (entry && entry->event != Event::kState) use(*entry, OwnerOf(*entry, owners), line);
  }
}

}  // namespace

Status Journal::Collect(const JournalFile::Turn& turn) const {
  // Some room, or the next operation would have to do this again.
  const std::uint64_t target = limits_.total / 2;
  TRY_ASSIGN(const std::string text, turn.ReadAll());
  std::map<OperationId, Need> needs;
  const auto add_node = [&](Need& need, const Node& node) -> Status {
    if (node.attributes) need.objects.insert(*node.attributes);
    if (!node.content) return {};
    need.objects.insert(*node.content);
    if (node.type != NodeType::kTree) return {};
    // A tree that cannot be read cannot be given back: what it needs does not matter.
    const auto tree = Tree(node);
    if (!tree) return {};
    for (const TreeNode& entry : *tree) {
      if (entry.node.content) need.objects.insert(*entry.node.content);
      if (entry.node.attributes) need.objects.insert(*entry.node.attributes);
    }
    return {};
  };
  Status read;
  ForEachLine(text, [&](const Entry& entry, OperationId owner, std::string_view line) {
    Need& need = needs[owner];
    need.line_bytes += line.size() + 1;
    if (entry.event != Event::kBegin) return;
    if (entry.change.added) need.objects.insert(*entry.change.added);
    for (const Node* node : {&entry.change.before, &entry.change.before_to, &entry.change.after}) {
      if (Status added = add_node(need, *node); !added) read = added;
    }
  });
  TRY(read);

  std::set<Digest> wanted;
  std::uint64_t kept = 0;
  std::uint64_t line_bytes = 0;
  OperationId oldest = 0;
  for (auto& [operation, need] : Reversed(needs)) {
    std::uint64_t more = 0;
    for (const Digest& digest : need.objects) {
      if (wanted.contains(digest)) continue;
      if (const auto size = objects_.SizeOf(digest)) more += *size;
    }
    if (oldest != 0 && kept + line_bytes + more + need.line_bytes > target) break;
    oldest = operation;
    kept += more;
    line_bytes += need.line_bytes;
    wanted.merge(need.objects);
  }
  std::string lines;
  ForEachLine(text, [&](const Entry&, OperationId owner, std::string_view line) {
    if (owner < oldest) return;
    lines += line;
    lines += '\n';
  });
  // First the lines: what they do not speak of nobody misses.
  TRY(turn.Rewrite(std::move(lines), kept));
  return objects_.Retain(wanted);
}

}  // namespace cordon::undo
