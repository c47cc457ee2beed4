#include "mcp/http_sessions.h"

#include <utility>
#include <vector>

#include "auth/access.h"

namespace cordon::mcp {

HttpSessions::HttpSessions(Service& service, Hub& hub, std::shared_ptr<Tasks> tasks, Limits limits)
    : service_(service),
      hub_(hub),
      tasks_(std::move(tasks)),
      limits_(limits),
      room_(std::make_shared<WaitingRoom>(limits.waiting)) {}

void HttpSessions::EndAll() {
  std::map<std::string, Entry, std::less<>> ended;
  {
    const std::lock_guard lock(mutex_);
    ended.swap(entries_);
  }
  for (auto& [id, entry] : ended) entry.session->Close();
}

// Whoever works for a session holds it.
bool HttpSessions::IsInUse(const Entry& entry) {
  return entry.session.use_count() > 1 || entry.session->outbox().has_reader();
}

std::map<std::string, HttpSessions::Entry, std::less<>>::iterator HttpSessions::LongestUnused() {
  auto longest = entries_.end();
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    if (IsInUse(entry->second)) continue;
    if (longest == entries_.end() || entry->second.used < longest->second.used) longest = entry;
  }
  return longest;
}

std::shared_ptr<HttpSession> HttpSessions::Make(Principal principal) {
  auto made = std::make_shared<HttpSession>(service_, hub_, std::move(principal), auth::NewToken(),
                                            limits_.outbox, room_, tasks_);
  std::shared_ptr<HttpSession> ended;
  {
    const std::lock_guard lock(mutex_);
    if (entries_.size() >= limits_.sessions) {
      const auto longest = LongestUnused();
      if (longest == entries_.end()) return nullptr;
      ended = std::move(longest->second.session);
      entries_.erase(longest);
    }
    entries_.emplace(made->id(), Entry{made, Clock::now()});
  }
  if (ended) ended->Close();
  return made;
}

std::shared_ptr<HttpSession> HttpSessions::Find(std::string_view id, const Principal& principal) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(id);
  if (found == entries_.end()) return nullptr;
  if (found->second.session->session().principal().id != principal.id) return nullptr;
  found->second.used = Clock::now();
  return found->second.session;
}

void HttpSessions::End(const std::string& id) {
  std::shared_ptr<HttpSession> ended;
  {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(id);
    if (found == entries_.end()) return;
    ended = std::move(found->second.session);
    entries_.erase(found);
  }
  ended->Close();
}

void HttpSessions::Pulse() {
  std::vector<std::shared_ptr<HttpSession>> ended;
  const auto now = Clock::now();
  {
    const std::lock_guard lock(mutex_);
    for (auto entry = entries_.begin(); entry != entries_.end();) {
      entry->second.session->outbox().Pulse();
      if (IsInUse(entry->second)) entry->second.used = now;
      if (now - entry->second.used <= limits_.idle) {
        ++entry;
        continue;
      }
      ended.push_back(std::move(entry->second.session));
      entry = entries_.erase(entry);
    }
  }
  for (const auto& session : ended) session->Close();
}

}  // namespace cordon::mcp
