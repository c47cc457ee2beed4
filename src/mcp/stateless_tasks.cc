#include "mcp/stateless_tasks.h"

#include <string>
#include <utility>

#include "mcp/task_text.h"

namespace cordon::mcp {
namespace {

namespace json = boost::json;
using Reply = Answered<json::object>;

const json::object* ObjectIn(const json::object& params, std::string_view name) {
  const json::value* const value = params.if_contains(name);
  return value == nullptr ? nullptr : value->if_object();
}

json::object ObjectOrNone(const json::object& params, std::string_view name) {
  const json::object* const object = ObjectIn(params, name);
  return object == nullptr ? json::object() : *object;
}

bool Manages(std::string_view method) {
  return method == "tasks/get" || method == "tasks/update" || method == "tasks/cancel";
}

}  // namespace

std::optional<StatelessTasks::Answer> StatelessTasks::Take(const Asked& asked) {
  if (!OffersTasks(service_.Describe())) return std::nullopt;
  if (asked.request.method == "tools/call") return Call(asked);
  if (!Manages(asked.request.method)) return std::nullopt;
  if (!TakesTasks(asked.client)) return Answer{tl::make_unexpected(NeedsTasks())};
  return Answer{Manage(asked)};
}

std::optional<StatelessTasks::Answer> StatelessTasks::Call(const Asked& asked) {
  const json::object& params = asked.request.params;
  const json::value* const name = params.if_contains("name");
  if (name == nullptr || !name->is_string()) return std::nullopt;
  static const json::object kNone;
  const json::object* const arguments = ObjectIn(params, "arguments");
  const std::optional<TaskTerms> terms =
      service_.TaskTermsOf(name->get_string(), arguments == nullptr ? kNone : *arguments);
  if (!terms) return std::nullopt;
  const bool must = terms->need == TaskTerms::Need::kMust;
  if (!TakesTasks(asked.client)) {
    if (!must) return std::nullopt;
    return Answer{tl::make_unexpected(NeedsTasks())};
  }
  const auto task = tasks_->Start(
      Tasks::OwnerOf(asked.client.principal),
      {asked.client, params, nullptr, ObjectOrNone(params, "inputResponses"), asked.carried});
  if (task) return Started(asked, task, *terms);
  if (!must) return std::nullopt;  // it is answered when it has ended
  return Answer{tl::make_unexpected(TooBusy())};
}

StatelessTasks::Answer StatelessTasks::Started(const Asked& asked,
                                               const std::shared_ptr<Task>& task,
                                               const TaskTerms& terms) {
  if (terms.patience.count() > 0) {
    const TaskState state = task->Await(terms.patience, asked.stop);
    if (state.status != TaskStatus::kWorking || asked.stop.stop_requested()) {
      tasks_->Forget(*task);
      if (state.error) return {tl::make_unexpected(*state.error)};
      return {state.result ? *state.result : json::object(), state.questions, state.carry};
    }
  }
  json::object created = TaskObject(*task, task->Look());
  created["resultType"] = "task";
  return {std::move(created)};
}

Reply StatelessTasks::Manage(const Asked& asked) {
  const json::object& params = asked.request.params;
  const json::value* const id = params.if_contains("taskId");
  if (id == nullptr || !id->is_string()) {
    return tl::make_unexpected(InvalidParams("\"taskId\" must be given, as a string"));
  }
  const Tasks::Owner owner = Tasks::OwnerOf(asked.client.principal);
  const auto task = tasks_->Find(owner, asked.client.principal, id->get_string());
  if (!task) return tl::make_unexpected(InvalidParams("there is no such task"));
  if (asked.request.method == "tasks/get") return DetailedTaskObject(*task, task->Look());
  if (asked.request.method == "tasks/cancel") {
    task->Cancel();
    return json::object();
  }
  const json::object* const responses = ObjectIn(params, "inputResponses");
  if (responses == nullptr) {
    return tl::make_unexpected(InvalidParams("\"inputResponses\" must be given, as an object"));
  }
  tasks_->Answer(owner, task, *responses);
  return json::object();
}

}  // namespace cordon::mcp
