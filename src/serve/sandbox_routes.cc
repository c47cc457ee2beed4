// Sandboxes: made, listed, paused, renewed, ended.
#include <boost/json/array.hpp>
#include <utility>

#include "base/try.h"
#include "serve/found_sandbox.h"
#include "serve/object_json.h"
#include "serve/problem.h"
#include "serve/query.h"
#include "serve/routes.h"
#include "serve/shown.h"

namespace cordon::serve {
namespace {

namespace json = boost::json;

constexpr std::uint64_t kMostAPage = 1000;
constexpr std::uint64_t kMostRenewal = std::uint64_t{366} * 24 * 3600;

net::HttpResponse Create(const Context& context, Call& call) {
  auto body = JsonBody::Parse(call.request);
  if (!body) return ProblemOf(body.error());
  const provision::Wish wish = ReadWish(*body);
  if (const Status checked = body->Check(); !checked) return ProblemOf(checked.error());
  const auto begun = context.sandboxes->Begin({call.caller.user, std::nullopt}, wish);
  if (!begun) return ProblemOf(begun.error());
  net::HttpResponse response = JsonAnswer(202, ShownSandbox(context, *begun));
  response.fields.Add("Location", "/v1/sandboxes/" + begun->id.text());
  return response;
}

Result<store::SandboxFilter> FilterOf(const Call& call) {
  TRY_ASSIGN(const Query query, Query::Parse(call.request.query));
  store::SandboxFilter filter;
  filter.user = call.caller.user;
  filter.conversation = query.Text("conversation");
  filter.driver = query.Text("driver");
  TRY_ASSIGN(filter.most, query.NumberOr("limit", 100, 1, kMostAPage));
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  for (const std::string& name : query.List("state")) {
    const auto state = store::ParseState(name);
    error.component = "state";
    error.detail = "there is no such state";
    if (!state) return error;
    filter.states.push_back(*state);
  }
  if (const auto after = query.Text("after")) {
    filter.after = SandboxId::Parse(*after);
    error.component = "after";
    error.detail = "this is no sandbox's id";
    if (!filter.after) return error;
  }
  return filter;
}

net::HttpResponse List(const Context& context, Call& call) {
  const auto filter = FilterOf(call);
  if (!filter) return ProblemOf(filter.error());
  const auto found = context.sandboxes->List(*filter);
  if (!found) return ProblemOf(found.error());
  json::array sandboxes;
  for (const store::Sandbox& one : *found) sandboxes.push_back(ShownSandbox(context, one));
  json::value next = nullptr;
  if (!found->empty() && found->size() == filter->most) next = found->back().id.text();
  return JsonAnswer(200, {{"sandboxes", std::move(sandboxes)}, {"next", std::move(next)}});
}

net::HttpResponse Get(const Context& context, Call& call) {
  auto found = FindSandbox(context, call);
  if (!found.value) return found.problem;
  return JsonAnswer(200, ShownSandbox(context, *found.value));
}

net::HttpResponse Delete(const Context& context, Call& call) {
  auto found = FindSandbox(context, call);
  if (!found.value) return found.problem;
  const Status ended = context.sandboxes->End(call.caller.user, found.value->id, "user_delete");
  if (!ended) return LifeProblem(ended.error());
  return net::HttpResponse{204, {}, {}};
}

using Change = Result<store::Sandbox> (provision::Sandboxes::*)(std::string_view, const SandboxId&);

Answerer Changing(const Context& context, Change change) {
  return [context, change](Call& call) {
    auto found = FindSandbox(context, call);
    if (!found.value) return found.problem;
    const auto changed = ((*context.sandboxes).*change)(call.caller.user, found.value->id);
    if (!changed) return LifeProblem(changed.error());
    return JsonAnswer(200, ShownSandbox(context, *changed));
  };
}

net::HttpResponse Renew(const Context& context, Call& call) {
  auto body = JsonBody::Parse(call.request);
  if (!body) return ProblemOf(body.error());
  const auto seconds = body->Number("seconds", kMostRenewal);
  if (!seconds || *seconds == 0) body->Refuse("seconds", "say for how many seconds from now");
  if (const Status checked = body->Check(); !checked) return ProblemOf(checked.error());
  auto found = FindSandbox(context, call);
  if (!found.value) return found.problem;
  const auto renewed =
      context.sandboxes->Renew(call.caller.user, found.value->id, std::chrono::seconds(*seconds));
  if (!renewed) return LifeProblem(renewed.error());
  return JsonAnswer(200, ShownSandbox(context, *renewed));
}

template <typename Work>
Handler With(const Context& context, Work work) {
  return Answering([context, work](Call& call) { return work(context, call); });
}

}  // namespace

void AddSandboxRoutes(Routes& routes, const Context& context) {
  routes.push_back({"POST",
                    "/v1/sandboxes",
                    "createSandbox",
                    "Begin to make a sandbox",
                    "sandboxes:write",
                    {{202, "It is being made; Location tells where to look", {"Sandbox"}}},
                    With(context, Create),
                    {},
                    {"Wish"}});
  routes.push_back({"GET",
                    "/v1/sandboxes",
                    "listSandboxes",
                    "The sandboxes of this user, by age",
                    "sandboxes:read",
                    {{200, "A page of them", {"SandboxPage"}}},
                    With(context, List),
                    {{"state", "string", "Any of these, with commas between"},
                     {"conversation", "string", "Of this conversation"},
                     {"driver", "string", "Made by this driver"},
                     {"after", "string", "The `next` of the page before"},
                     {"limit", "integer", "Most on a page, 100 if not given"}}});
  routes.push_back({"GET",
                    "/v1/sandboxes/{id}",
                    "getSandbox",
                    "One sandbox",
                    "sandboxes:read",
                    {{200, "The sandbox", {"Sandbox"}}},
                    With(context, Get)});
  routes.push_back({"DELETE",
                    "/v1/sandboxes/{id}",
                    "deleteSandbox",
                    "End it; what is left is a tombstone",
                    "sandboxes:write",
                    {{204, "It is gone"}},
                    With(context, Delete)});
  routes.push_back({"POST",
                    "/v1/sandboxes/{id}/pause",
                    "pauseSandbox",
                    "Hold all its processes",
                    "sandboxes:write",
                    {{200, "As it is now", {"Sandbox"}}},
                    Answering(Changing(context, &provision::Sandboxes::Pause))});
  routes.push_back({"POST",
                    "/v1/sandboxes/{id}/resume",
                    "resumeSandbox",
                    "Let them go on",
                    "sandboxes:write",
                    {{200, "As it is now", {"Sandbox"}}},
                    Answering(Changing(context, &provision::Sandboxes::Resume))});
  routes.push_back({"POST",
                    "/v1/sandboxes/{id}/renew",
                    "renewSandbox",
                    "Let it live so many seconds from now",
                    "sandboxes:write",
                    {{200, "As it is now", {"Sandbox"}}},
                    With(context, Renew),
                    {},
                    {"Renewal"}});
}

}  // namespace cordon::serve
