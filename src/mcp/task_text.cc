#include "mcp/task_text.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>

namespace cordon::mcp {
namespace {

namespace json = boost::json;

constexpr std::int64_t kPollMs = 500;  // between two looks

std::string_view NameOf(TaskStatus status) {
  switch (status) {
    case TaskStatus::kWorking: return "working";
    case TaskStatus::kInputRequired: return "input_required";
    case TaskStatus::kCompleted: return "completed";
    case TaskStatus::kFailed: return "failed";
    case TaskStatus::kCancelled: break;
  }
  return "cancelled";
}

// "2026-07-28T12:00:00.000Z"
std::string TimeText(std::chrono::system_clock::time_point time) {
  using std::chrono::days, std::chrono::milliseconds;
  const auto day = std::chrono::floor<days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(std::chrono::floor<milliseconds>(time - day));
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()),
                static_cast<int>(clock.subseconds().count()));
  return text.data();
}

json::object Common(const Task& task, const TaskState& state) {
  json::object object{{"taskId", task.id()},
                      {"status", NameOf(state.status)},
                      {"createdAt", TimeText(state.created)},
                      {"lastUpdatedAt", TimeText(state.updated)}};
  if (state.error) object["statusMessage"] = state.error->message;
  return object;
}

}  // namespace

json::object TaskObject(const Task& task, const TaskState& state) {
  json::object object = Common(task, state);
  object["ttlMs"] = state.ttl.count();
  object["pollIntervalMs"] = kPollMs;
  return object;
}

json::object DetailedTaskObject(const Task& task, const TaskState& state) {
  json::object object = TaskObject(task, state);
  if (state.status == TaskStatus::kInputRequired) object["inputRequests"] = state.questions;
  if (state.result) object["result"] = *state.result;
  if (state.error) object["error"] = ErrorObject(*state.error);
  return object;
}

json::object OldTaskObject(const Task& task, const TaskState& state) {
  json::object object = Common(task, state);
  object["ttl"] = state.ttl.count();
  object["pollInterval"] = kPollMs;
  return object;
}

}  // namespace cordon::mcp
