// What watches over the server asks for: is it alive, is it ready, what has it done; and the
// document that describes it.
#include <array>
#include <boost/json/object.hpp>
#include <utility>

#include "serve/counters.h"
#include "serve/problem.h"
#include "serve/routes.h"

namespace cordon::serve {
namespace {

using store::SandboxState;

constexpr std::array kStates = {SandboxState::kPending,    SandboxState::kReady,
                                SandboxState::kPaused,     SandboxState::kTerminating,
                                SandboxState::kTerminated, SandboxState::kFailed};
constexpr std::size_t kMostCounted = 100'000;

net::HttpResponse Healthy() { return JsonAnswer(200, {{"status", "ok"}}); }

net::HttpResponse Ready(const Context& context) {
  if (context.store->ListUsers()) return Healthy();
  return JsonAnswer(503, {{"status", "unavailable"}});
}

void AddMetric(std::string& text, std::string_view name, std::string_view type,
               std::string_view help) {
  text.append("# HELP ").append(name).append(" ").append(help).append("\n");
  text.append("# TYPE ").append(name).append(" ").append(type).append("\n");
}

void AddValue(std::string& text, std::string_view name, std::string_view label,
              std::int64_t value) {
  text.append(name).append(label).append(" ").append(std::to_string(value)).append("\n");
}

void AddSandboxes(const Context& context, std::string& text) {
  AddMetric(text, "cordon_sandboxes", "gauge", "Sandboxes of all users by state.");
  for (const SandboxState state : kStates) {
    store::SandboxFilter filter;
    filter.states = {state};
    filter.most = kMostCounted;
    const auto found = context.store->ListSandboxes(filter);
    if (!found) continue;
    std::string label = "{state=\"";
    label.append(store::StateName(state)).append("\"}");
    AddValue(text, "cordon_sandboxes", label, static_cast<std::int64_t>(found->size()));
  }
}

net::HttpResponse Metrics(const Context& context) {
  const Counters& counters = *context.counters;
  std::string text;
  AddSandboxes(context, text);
  AddMetric(text, "cordon_http_responses_total", "counter", "Answers by class of status.");
  for (std::size_t one = 1; one < counters.answers.size(); ++one) {
    std::string label = "{class=\"";
    label.append(std::to_string(one)).append("xx\"}");
    AddValue(text, "cordon_http_responses_total", label,
             static_cast<std::int64_t>(counters.answers[one].load()));
  }
  const auto single = [&](std::string_view name, std::string_view type, std::string_view help,
                          std::int64_t value) {
    AddMetric(text, name, type, help);
    AddValue(text, name, "", value);
  };
  single("cordon_http_refused_total", "counter", "Requests that passed no gate.",
         static_cast<std::int64_t>(counters.refused.load()));
  single("cordon_http_busy_total", "counter", "Requests for which no thread was free.",
         static_cast<std::int64_t>(counters.busy.load()));
  single("cordon_execs_total", "counter", "Programs started in sandboxes.",
         static_cast<std::int64_t>(counters.execs.load()));
  single("cordon_tool_calls_total", "counter", "Calls of tools.",
         static_cast<std::int64_t>(counters.tool_calls.load()));
  single("cordon_streams", "gauge", "Streams that are open.", counters.streams.load());
  net::HttpResponse response;
  response.fields.Add("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
  response.body = std::move(text);
  return response;
}

}  // namespace

void AddHealthRoutes(Routes& routes, const Context& context) {
  routes.push_back({"GET",
                    "/healthz",
                    "getHealth",
                    "Whether the server is alive",
                    "",
                    {{200, "It is", {"Health"}}},
                    Answering([](Call&) { return Healthy(); }),
                    {},
                    {},
                    Admits::kEverybody});
  routes.push_back({"GET",
                    "/readyz",
                    "getReadiness",
                    "Whether it can do its work",
                    "",
                    {{200, "It can", {"Health"}}, {503, "It cannot", {"Health"}}},
                    Answering([context](Call&) { return Ready(context); }),
                    {},
                    {},
                    Admits::kEverybody});
  routes.push_back({"GET",
                    "/metrics",
                    "getMetrics",
                    "Counters, in the text form of Prometheus",
                    "admin",
                    {{200, "All of them", {"", "text/plain"}}},
                    Answering([context](Call&) { return Metrics(context); })});
}

}  // namespace cordon::serve
