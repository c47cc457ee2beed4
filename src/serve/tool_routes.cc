// The tools, in the words of any dialect, on a sandbox's workspace.
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <stop_token>
#include <utility>

#include "base/try.h"
#include "serve/counters.h"
#include "serve/found_sandbox.h"
#include "serve/problem.h"
#include "serve/query.h"
#include "serve/routes.h"
#include "serve/workplaces.h"
#include "tools/menu.h"
#include "tools/result_object.h"

namespace cordon::serve {
namespace {

namespace json = boost::json;
constexpr std::size_t kDeepest = 64;

Result<const tools::Menu*> MenuOf(const Call& call) {
  TRY_ASSIGN(const Query query, Query::Parse(call.request.query));
  if (const tools::Menu* const menu = tools::FindMenu(query.Text("dialect").value_or("cordon"))) {
    return menu;
  }
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.component = "dialect";
  error.detail = "there is no dialect of this name";
  return error;
}

net::HttpResponse List(Call& call) {
  const auto menu = MenuOf(call);
  if (!menu) return ProblemOf(menu.error());
  json::array declarations;
  for (json::object& one : (*menu)->Declarations()) declarations.push_back(std::move(one));
  return JsonAnswer(200, {{"dialect", (*menu)->name()}, {"tools", std::move(declarations)}});
}

// The same bytes whatever was wrong with the sandbox.
net::HttpResponse SandboxRequired() {
  return JsonAnswer(409, {{"success", false},
                          {"userFeedback", kSandboxRequired},
                          {"previewRefreshNeeded", false},
                          {"error",
                           {{"code", "SANDBOX_REQUIRED"},
                            {"message", kSandboxRequired},
                            {"aiMessage", kSandboxRequired},
                            {"securityViolation", false},
                            {"recoverable", false}}}});
}

Result<json::object> ArgumentsOf(const net::HttpRequest& request) {
  if (request.body.empty()) return json::object();
  json::parse_options options;
  options.max_depth = kDeepest;
  json::error_code failed;
  json::value value = json::parse(request.body, failed, {}, options);
  if (!failed && value.is_object()) return std::move(value.as_object());
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.detail = "the body must be a JSON object, the tool's arguments";
  return error;
}

void CallTool(const Context& context, Call& call, const Reply& reply) {
  const auto menu = MenuOf(call);
  if (!menu) return reply->Send(ProblemOf(menu.error()));
  const std::string& name = call.Parameter("name");
  if ((*menu)->Behind(name) == nullptr) {
    return reply->Send(Problem(404, "UNKNOWN_TOOL", "there is no tool of this name"));
  }
  const auto arguments = ArgumentsOf(call.request);
  if (!arguments) return reply->Send(ProblemOf(arguments.error()));
  const auto id = SandboxId::Parse(call.Parameter("id"));
  if (!id) return reply->Send(SandboxRequired());
  auto lease = context.sandboxes->Use(call.caller.user, *id);
  if (!lease) return reply->Send(SandboxRequired());
  const auto guard = context.workplaces->GuardOf(*lease);
  if (!guard) return reply->Send(ProblemOf(guard.error()));
  ++context.counters->tool_calls;
  const auto stop = std::make_shared<std::stop_source>();
  reply->OnGone([stop] { stop->request_stop(); });
  tools::CallOptions options;
  options.stop = stop->get_token();
  tools::Served served = (*menu)->Call(name, *arguments, **guard, options);
  json::object result = tools::ResultObject(std::move(served.outcome));
  result["text"] = tools::ValidUtf8(served.text);
  reply->Send(JsonAnswer(200, std::move(result)));
}

}  // namespace

void AddToolRoutes(Routes& routes, const Context& context) {
  const std::vector<QueryParameter> dialect = {
      {"dialect", "string", "Names, parameters and texts of another agent; cordon if not given"}};
  routes.push_back({"GET",
                    "/v1/tools",
                    "listTools",
                    "The tools there are, with their schemas",
                    "sandboxes:read",
                    {{200, "All of them", {"ToolList"}}},
                    Answering(List),
                    dialect});
  routes.push_back({"POST",
                    "/v1/tools/{name}",
                    "callToolNowhere",
                    "A call that names no sandbox: always refused",
                    "sandboxes:write",
                    {{409, "There is no fallback to the host", {"ToolResult"}}},
                    Answering([](Call&) { return SandboxRequired(); }),
                    dialect,
                    {"ToolArguments"}});
  routes.push_back({"POST",
                    "/v1/sandboxes/{id}/tools/{name}",
                    "callTool",
                    "Call a tool",
                    "sandboxes:write",
                    {{200, "What came of it, success or not", {"ToolResult"}},
                     {409, "It has no sandbox to work in", {"ToolResult"}}},
                    [context](Call& call, const Reply& reply) { CallTool(context, call, reply); },
                    dialect,
                    {"ToolArguments"}});
}

}  // namespace cordon::serve
