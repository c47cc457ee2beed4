#include "mcp/task.h"

#include <utility>

#include "mcp/dispatch.h"
#include "mcp/fit_revision.h"
#include "mcp/task_exchange.h"

namespace cordon::mcp {
namespace {

namespace json = boost::json;
using Clock = std::chrono::system_clock;
using std::chrono::milliseconds;

// Values of a message live in its own memory, which goes with it.
json::object Kept(const json::object& object) { return {object, json::storage_ptr()}; }

}  // namespace

bool HasEnded(TaskStatus status) {
  return status != TaskStatus::kWorking && status != TaskStatus::kInputRequired;
}

Task::Task(std::string id, TaskCall call, Lifetime lifetime, std::function<void()> changed)
    : id_(std::move(id)),
      call_{std::move(call.client), Kept(call.params), std::move(call.attachment)},
      lifetime_(lifetime),
      changed_(std::move(changed)),
      responses_(Kept(call.responses)) {
  if (call.carried) carried_ = Kept(*call.carried);
  state_.created = state_.updated = Clock::now();
  state_.ttl = lifetime_.longest;
}

void Task::Become(TaskStatus status) {
  state_.status = status;
  state_.updated = Clock::now();
  if (HasEnded(status)) {
    state_.questions.clear();
    state_.ttl = std::chrono::duration_cast<milliseconds>(state_.updated - state_.created) +
                 lifetime_.after_its_end;
  }
  moved_.notify_all();
}

void Task::Ask(const json::object& pending, const json::object& carry) {
  state_.questions.clear();
  asked_.clear();
  for (const auto& [name, question] : pending) {
    std::string key(name);
    for (int again = 2; !used_.insert(key).second; ++again) {
      key = std::string(name) + "~" + std::to_string(again);
    }
    state_.questions[key] = question;
    asked_.emplace(std::move(key), name);
  }
  state_.carry = carry;
  carried_ = carry;
  Become(TaskStatus::kInputRequired);
}

void Task::Run(Service& service) {
  json::object given;
  std::optional<json::object> carried;
  {
    const std::lock_guard lock(mutex_);
    if (HasEnded(state_.status)) return;
    given["inputResponses"] = std::exchange(responses_, {});
    carried = std::exchange(carried_, std::nullopt);
  }
  TaskExchange exchange(call_, given, std::move(carried), stop_.get_token());
  Answered<json::object> reply = Dispatch(service, exchange, "tools/call", call_.params);
  static_cast<void>(exchange.TakeHeld());
  {
    const std::lock_guard lock(mutex_);
    if (HasEnded(state_.status)) return;
    if (!exchange.pending().empty()) {
      Ask(exchange.pending(), exchange.carry());
    } else if (reply) {
      state_.result = std::make_shared<const json::object>(std::move(*reply));
      Become(TaskStatus::kCompleted);
    } else {
      FitError(reply.error(), call_.client.revision);
      state_.error = std::move(reply.error());
      Become(TaskStatus::kFailed);
    }
  }
  changed_();
}

Task::Next Task::Answer(const json::object& responses) {
  {
    const std::lock_guard lock(mutex_);
    if (state_.status != TaskStatus::kInputRequired) return Next::kNothing;
    for (const auto& [key, response] : responses) {
      const auto asked = asked_.find(std::string_view(key));
      if (asked == asked_.end() || !response.is_object()) continue;
      responses_[asked->second] = response;
      state_.questions.erase(key);
      asked_.erase(asked);
    }
    if (!asked_.empty()) return Next::kNothing;
    Become(TaskStatus::kWorking);
  }
  changed_();
  return Next::kRun;
}

bool Task::Stop() {
  stop_.request_stop();
  const std::lock_guard lock(mutex_);
  if (HasEnded(state_.status)) return false;
  Become(TaskStatus::kCancelled);
  return true;
}

void Task::Cancel() {
  if (Stop()) changed_();
}

void Task::Drop() { static_cast<void>(Stop()); }

void Task::Fail(RpcError error) {
  {
    const std::lock_guard lock(mutex_);
    if (HasEnded(state_.status)) return;
    state_.error = std::move(error);
    Become(TaskStatus::kFailed);
  }
  changed_();
}

TaskState Task::Look() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

TaskState Task::Await(milliseconds patience, const std::stop_token& stop) const {
  std::unique_lock lock(mutex_);
  moved_.wait_for(lock, stop, patience, [&] { return state_.status != TaskStatus::kWorking; });
  return state_;
}

std::shared_ptr<void> Task::BeginAsking() {
  const std::lock_guard lock(mutex_);
  if (asking_) return nullptr;
  asking_ = true;
  return {static_cast<void*>(this), [this](void*) {
            const std::lock_guard lock_again(mutex_);
            asking_ = false;
            moved_.notify_all();
          }};
}

void Task::AwaitAnswers(milliseconds patience, const std::stop_token& stop) const {
  std::unique_lock lock(mutex_);
  moved_.wait_for(lock, stop, patience,
                  [&] { return state_.status != TaskStatus::kInputRequired || !asking_; });
}

bool Task::IsOver(Clock::time_point now) const {
  const std::lock_guard lock(mutex_);
  return now - state_.created > state_.ttl;
}

}  // namespace cordon::mcp
