#include "provision/activity.h"

namespace cordon::provision {

using store::Time;

Activity::Activity(Clock now) : now_(std::move(now)), table_(std::make_shared<Table>()) {}

void Activity::Admit(const SandboxId& id, std::chrono::milliseconds idle) {
  const Time now = now_();
  const std::lock_guard<std::mutex> lock(table_->mutex);
  Entry& entry = table_->entries[id];
  entry.last = now;
  entry.idle = idle;
}

void Activity::Remove(const SandboxId& id) {
  const std::lock_guard<std::mutex> lock(table_->mutex);
  table_->entries.erase(id);
}

std::shared_ptr<void> Activity::Enter(const SandboxId& id) {
  const Time entered = now_();
  {
    const std::lock_guard<std::mutex> lock(table_->mutex);
    const auto found = table_->entries.find(id);
    if (found == table_->entries.end() || found->second.retired) return nullptr;
    ++found->second.uses;
    found->second.last = entered;
  }
  // What it points at does not matter; that it ends does.
  return {table_.get(), [table = table_, now = now_, id](void*) {
            const Time left = now();
            const std::lock_guard<std::mutex> lock(table->mutex);
            const auto found = table->entries.find(id);
            if (found == table->entries.end() || found->second.uses == 0) return;
            --found->second.uses;
            found->second.last = left;
          }};
}

Activity::Retired Activity::Retire(const SandboxId& id, Time before) {
  const std::lock_guard<std::mutex> lock(table_->mutex);
  const auto found = table_->entries.find(id);
  if (found == table_->entries.end()) return Retired::kYes;  // nobody can be in it
  if (found->second.uses > 0 || found->second.last > before) return Retired::kInUse;
  found->second.retired = true;
  return Retired::kYes;
}

void Activity::Restore(const SandboxId& id) {
  const std::lock_guard<std::mutex> lock(table_->mutex);
  const auto found = table_->entries.find(id);
  if (found != table_->entries.end()) found->second.retired = false;
}

Time Activity::LastOf(const Entry& entry, Time now) { return entry.uses > 0 ? now : entry.last; }

std::optional<Time> Activity::LastActive(const SandboxId& id) const {
  const Time now = now_();
  const std::lock_guard<std::mutex> lock(table_->mutex);
  const auto found = table_->entries.find(id);
  if (found == table_->entries.end()) return std::nullopt;
  return LastOf(found->second, now);
}

std::optional<Time> Activity::IdleAt(const SandboxId& id) const {
  const Time now = now_();
  const std::lock_guard<std::mutex> lock(table_->mutex);
  const auto found = table_->entries.find(id);
  if (found == table_->entries.end()) return std::nullopt;
  return LastOf(found->second, now) + found->second.idle.count();
}

std::vector<std::pair<SandboxId, Time>> Activity::TakeNews() {
  const Time now = now_();
  const std::lock_guard<std::mutex> lock(table_->mutex);
  std::vector<std::pair<SandboxId, Time>> news;
  for (auto& [id, entry] : table_->entries) {
    const Time last = LastOf(entry, now);
    if (last <= entry.told) continue;
    entry.told = last;
    news.emplace_back(id, last);
  }
  return news;
}

}  // namespace cordon::provision
