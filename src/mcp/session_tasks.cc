#include "mcp/session_tasks.h"

#include <boost/json/array.hpp>
#include <chrono>
#include <string>
#include <utility>

#include "mcp/task_text.h"

namespace cordon::mcp {
namespace {

namespace json = boost::json;
using Reply = Answered<json::object>;

constexpr std::string_view kRelated = "io.modelcontextprotocol/related-task";
// Between looks at a task that somebody else asks about, and in total for one question.
constexpr std::chrono::milliseconds kLook{200};
constexpr std::chrono::minutes kPatience{10};
constexpr std::size_t kMostWaiting = 8;

tl::unexpected<RpcError> Invalid(std::string message) {
  return tl::make_unexpected(InvalidParams(std::move(message)));
}

bool Manages(std::string_view method) {
  return method == "tasks/get" || method == "tasks/result" || method == "tasks/cancel" ||
         method == "tasks/list";
}

void Relate(json::object& object, const Task& task) {
  json::value& meta = object["_meta"];
  if (!meta.is_object()) meta.emplace_object();
  meta.get_object()[kRelated] = json::object{{"taskId", task.id()}};
}

}  // namespace

SessionTasks::SessionTasks(Service& service, std::shared_ptr<Tasks> tasks)
    : service_(service), tasks_(std::move(tasks)), owner_(tasks_->NewOwner()) {}

std::optional<Reply> SessionTasks::Take(Exchange& exchange, std::string_view method,
                                        const json::object& params) {
  if (exchange.client().revision != Revision::k2025_11_25) return std::nullopt;
  if (!OffersTasks(service_.Describe())) return std::nullopt;
  if (method == "tools/call") return Call(exchange, params);
  if (!Manages(method)) return std::nullopt;
  if (method == "tasks/list") return List(exchange, params);
  const json::value* const id = params.if_contains("taskId");
  if (id == nullptr || !id->is_string()) {
    return Invalid("\"taskId\" must be given, as a string");
  }
  const auto task = tasks_->Find(owner_, exchange.client().principal, id->get_string());
  if (!task) return Invalid("there is no such task");
  if (method == "tasks/result") return Result(exchange, task);
  if (method == "tasks/cancel") {
    if (HasEnded(task->Look().status)) return Invalid("the task has ended already");
    task->Cancel();
  }
  return OldTaskObject(*task, task->Look());
}

std::optional<Reply> SessionTasks::Call(Exchange& exchange, const json::object& params) {
  const json::value* const name = params.if_contains("name");
  if (name == nullptr || !name->is_string()) return std::nullopt;
  static const json::object kNone;
  const json::value* const arguments = params.if_contains("arguments");
  const bool given = arguments != nullptr && arguments->is_object();
  const std::optional<TaskTerms> terms =
      service_.TaskTermsOf(name->get_string(), given ? arguments->get_object() : kNone);
  const bool wanted = params.contains("task");
  const bool must = terms && terms->need == TaskTerms::Need::kMust;
  if (!wanted && !must) return std::nullopt;
  if (!wanted || !terms) {
    RpcError error = MethodNotFound("tools/call");
    error.message = wanted ? "this tool cannot be a task" : "this tool can only be a task";
    return tl::make_unexpected(std::move(error));
  }
  const auto task = tasks_->Start(owner_, {exchange.client(), params, exchange.attachment()});
  if (!task) return tl::make_unexpected(TooBusy());
  return json::object{{"task", OldTaskObject(*task, task->Look())}};
}

Reply SessionTasks::List(Exchange& exchange, const json::object& params) {
  if (params.contains("cursor")) return Invalid("this is no cursor of ours");
  json::array list;
  for (const auto& task : tasks_->Of(owner_, exchange.client().principal)) {
    list.push_back(OldTaskObject(*task, task->Look()));
  }
  return json::object{{"tasks", std::move(list)}};
}

Reply SessionTasks::Result(Exchange& exchange, const std::shared_ptr<Task>& task) {
  const std::shared_ptr<void> counted(&waiting_, [this](void*) { --waiting_; });
  if (++waiting_ > kMostWaiting) return tl::make_unexpected(TooBusy());
  for (;;) {
    const TaskState state = task->Await(kPatience, exchange.stop());
    if (exchange.stop().stop_requested()) return json::object();  // nobody is told
    if (state.error) return tl::make_unexpected(*state.error);
    if (state.status == TaskStatus::kCancelled) return Invalid("the task was cancelled");
    if (state.result) {
      json::object result = *state.result;
      Relate(result, *task);
      return result;
    }
    if (state.status == TaskStatus::kInputRequired) Ask(exchange, task, state.questions);
  }
}

void SessionTasks::Ask(Exchange& exchange, const std::shared_ptr<Task>& task,
                       const json::object& questions) {
  const auto asking = task->BeginAsking();
  if (!asking) {  // somebody else waits for the same result
    task->AwaitAnswers(kLook, exchange.stop());
    return;
  }
  json::object responses;
  for (const auto& [key, question] : questions) {
    const json::object& asked = question.as_object();
    json::object params;
    if (const json::value* const some = asked.if_contains("params")) params = some->as_object();
    Relate(params, *task);
    auto answer = exchange.Ask(key, asked.at("method").as_string(), params, kPatience);
    // Who leaves may come again; who cannot or will not answer has said no.
    if (!answer && answer.error() == AskFailure::kCancelled) return;
    responses[key] = answer ? std::move(*answer) : json::object{{"action", "cancel"}};
  }
  tasks_->Answer(owner_, task, responses);
}

void SessionTasks::Mark(json::object& listed, Revision revision) const {
  json::value* const tools = listed.if_contains("tools");
  if (tools == nullptr || !tools->is_array()) return;
  if (revision != Revision::k2025_11_25 || !OffersTasks(service_.Describe())) return;
  for (json::value& tool : tools->get_array()) {
    const std::optional<TaskTerms> terms = service_.TaskTermsOf(tool.at("name").as_string(), {});
    if (!terms) continue;
    const bool must = terms->need == TaskTerms::Need::kMust;
    tool.as_object()["execution"] = json::object{{"taskSupport", must ? "required" : "optional"}};
  }
}

}  // namespace cordon::mcp
