#include "undo/history.h"

#include <algorithm>
#include <map>
#include <utility>

#include "undo/entry_text.h"

namespace cordon::undo {
namespace {

class Folding {
 public:
  void Add(Entry entry) {
    switch (entry.event) {
      case Event::kBegin: Begin(std::move(entry)); return;
      case Event::kEnd: End(entry); return;
      case Event::kUndo: {
        Operation operation;
        operation.id = entry.id;
        operation.origin = std::move(entry.origin);
        operation.undoes = entry.undoes;
        operation.complete = false;
        operations_.emplace(entry.id, std::move(operation));
        return;
      }
      case Event::kUndone: {
        const auto found = operations_.find(entry.id);
        if (found == operations_.end()) return;
        found->second.complete = true;
        SetUndone(found->second.undoes, entry.id);
        return;
      }
      case Event::kState: return;
    }
  }

  std::vector<Operation> Take() {
    std::vector<Operation> list;
    list.reserve(operations_.size());
    for (auto& [id, operation] : operations_) list.push_back(std::move(operation));
    return list;
  }

 private:
  void Begin(Entry entry) {
    const OperationId owner = entry.change.group != 0 ? entry.change.group : entry.id;
    owner_of_[entry.id] = owner;
    Operation& operation = operations_[owner];
    if (operation.id == 0) {
      operation.id = owner;
      operation.origin = std::move(entry.origin);
      operation.complete = entry.change.group == 0;  // else its beginning is gone
    }
    operation.changes.push_back(std::move(entry.change));
  }

  void End(const Entry& entry) {
    const auto owner = owner_of_.find(entry.id);
    if (owner == owner_of_.end()) return;
    for (Change& change : operations_[owner->second].changes) {
      if (change.id != entry.id) continue;
      change.ending = entry.change.ending;
      if (entry.change.after.mode) change.after.mode = entry.change.after.mode;
    }
  }

  // What takes back an undo puts in force again what that had taken back.
  void SetUndone(OperationId id, OperationId by) {
    while (true) {
      const auto found = operations_.find(id);
      if (found == operations_.end()) return;
      found->second.undone_by = by;
      if (found->second.undoes == 0 || found->second.undoes >= id) return;
      by = by == 0 ? id : 0;
      id = found->second.undoes;
    }
  }

  std::map<OperationId, Operation> operations_;
  std::map<OperationId, OperationId> owner_of_;
};

}  // namespace

History ReadHistory(std::string_view text) {
  History history;
  Folding folding;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) break;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    std::optional<Entry> entry = ParseEntry(line);
    if (entry) {
      folding.Add(std::move(*entry));
    } else if (!line.empty()) {
      ++history.damaged;
    }
  }
  history.operations = folding.Take();
  return history;
}

const Operation* Find(const History& history, OperationId id) {
  const auto found = std::lower_bound(
      history.operations.begin(), history.operations.end(), id,
      [](const Operation& operation, OperationId wanted) { return operation.id < wanted; });
  return found != history.operations.end() && found->id == id ? &*found : nullptr;
}

}  // namespace cordon::undo
