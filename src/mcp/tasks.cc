#include "mcp/tasks.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "auth/access.h"

namespace cordon::mcp {
namespace {

namespace json = boost::json;

constexpr std::string_view kExtension = "io.modelcontextprotocol/tasks";

bool HasExtension(const json::object& capabilities) {
  const json::value* const extensions = capabilities.if_contains("extensions");
  return extensions != nullptr && extensions->is_object() &&
         extensions->get_object().contains(kExtension);
}

// Whether somebody may do all that `began` could.
bool Covers(const Principal& who, const Principal& began) {
  if (!who.scopes || !began.scopes) return !who.scopes;
  std::string_view rest = *began.scopes;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (end > 0 && !who.MayUse(rest.substr(0, end))) return false;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return true;
}

}  // namespace

bool OffersTasks(const Description& description) { return HasExtension(description.capabilities); }

bool TakesTasks(const Client& client) { return HasExtension(client.capabilities); }

RpcError NeedsTasks() {
  json::object extensions;
  extensions[kExtension] = json::object();
  return MissingCapability({{"extensions", std::move(extensions)}});
}

Tasks::Tasks(Service& service, Hub& hub, Limits limits)
    : service_(service), hub_(hub), limits_(limits), pool_({limits.running, limits.kept}) {}

Tasks::Owner Tasks::NewOwner() {
  const std::lock_guard lock(mutex_);
  return "session " + std::to_string(++last_);
}

// Ends what goes, which may take a moment: after the lock, so it is declared before.
struct Tasks::Leaving {
  std::vector<std::shared_ptr<Task>> tasks;
  Leaving() = default;
  Leaving(const Leaving&) = delete;
  Leaving& operator=(const Leaving&) = delete;
  ~Leaving() {
    for (const std::shared_ptr<Task>& task : tasks) task->Drop();
  }
};

template <typename Which>
void Tasks::Drop(Leaving& leaving, const Which& which) {
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    if (!which(entry->second)) {
      ++entry;
      continue;
    }
    leaving.tasks.push_back(std::move(entry->second.task));
    entry = entries_.erase(entry);
  }
}

void Tasks::DropOld(Leaving& leaving) {
  const auto now = std::chrono::system_clock::now();
  Drop(leaving, [&](const Entry& entry) { return entry.task->IsOver(now); });
}

bool Tasks::HasRoomFor(const Owner& owner) const {
  if (closed_ || entries_.size() >= limits_.kept || all_running_ >= limits_.running) return false;
  const auto running = running_.find(owner);
  if (running != running_.end() && running->second >= limits_.running_each) return false;
  const auto kept = std::count_if(entries_.begin(), entries_.end(),
                                  [&](const auto& one) { return one.second.owner == owner; });
  return static_cast<std::size_t>(kept) < limits_.kept_each;
}

bool Tasks::Submit(const Owner& owner, const std::shared_ptr<Task>& task) {
  const bool taken = !closed_ && pool_.Submit([this, owner, task] {
    try {
      task->Run(service_);
    } catch (const std::exception&) {  // e.g. no memory for it
      task->Fail({RpcCode::kInternalError, "the server failed at this"});
    }
    const std::lock_guard lock(mutex_);
    --all_running_;
    if (const auto found = running_.find(owner); --found->second == 0) running_.erase(found);
  });
  if (!taken) return false;
  ++all_running_;  // before the work can have ended: that needs the mutex
  ++running_[owner];
  return true;
}

std::shared_ptr<Task> Tasks::Start(const Owner& owner, TaskCall call) {
  Leaving leaving;
  const std::lock_guard lock(mutex_);
  DropOld(leaving);
  if (!HasRoomFor(owner)) return nullptr;
  std::string id = auth::NewToken();
  auto task = std::make_shared<Task>(id, std::move(call), limits_.lifetime, [&hub = hub_, id] {
    hub.Tell({Change::Kind::kTask, id});
  });
  if (!Submit(owner, task)) return nullptr;
  entries_.emplace(std::move(id), Entry{owner, ++last_, task});
  return task;
}

std::shared_ptr<Task> Tasks::Find(const Owner& owner, const Principal& who, std::string_view id) {
  Leaving leaving;
  const std::lock_guard lock(mutex_);
  DropOld(leaving);
  const auto found = entries_.find(id);
  if (found == entries_.end() || found->second.owner != owner) return nullptr;
  const std::shared_ptr<Task>& task = found->second.task;
  return Covers(who, task->client().principal) ? task : nullptr;
}

std::vector<std::shared_ptr<Task>> Tasks::Of(const Owner& owner, const Principal& who) {
  std::map<std::uint64_t, std::shared_ptr<Task>> sorted;
  {
    Leaving leaving;
    const std::lock_guard lock(mutex_);
    DropOld(leaving);
    for (const auto& [id, entry] : entries_) {
      if (entry.owner != owner || !Covers(who, entry.task->client().principal)) continue;
      sorted.emplace(entry.number, entry.task);
    }
  }
  std::vector<std::shared_ptr<Task>> tasks;
  tasks.reserve(sorted.size());
  for (const auto& [number, task] : sorted) tasks.push_back(task);
  return tasks;
}

void Tasks::Answer(const Owner& owner, const std::shared_ptr<Task>& task,
                   const json::object& responses) {
  if (task->Answer(responses) == Task::Next::kNothing) return;
  bool taken = false;
  {
    const std::lock_guard lock(mutex_);
    taken = Submit(owner, task);
  }
  if (!taken) task->Fail(TooBusy());
}

void Tasks::Forget(const Task& task) {
  Leaving leaving;
  const std::lock_guard lock(mutex_);
  Drop(leaving, [&](const Entry& entry) { return entry.task.get() == &task; });
}

void Tasks::ForgetAllOf(const Owner& owner) {
  Leaving leaving;
  const std::lock_guard lock(mutex_);
  Drop(leaving, [&](const Entry& entry) { return entry.owner == owner; });
}

void Tasks::Close() {
  Leaving leaving;
  const std::lock_guard lock(mutex_);
  closed_ = true;
  Drop(leaving, [](const Entry& /*entry*/) { return true; });
}

}  // namespace cordon::mcp
