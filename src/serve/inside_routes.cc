// What is going on inside a sandbox: usage, processes, last log lines.
#include <boost/json/array.hpp>
#include <utility>

#include "serve/found_sandbox.h"
#include "serve/json_body.h"
#include "serve/problem.h"
#include "serve/routes.h"
#include "tools/result_object.h"

namespace cordon::serve {
namespace {

namespace json = boost::json;

constexpr std::uint64_t kHighestSignal = 64;
constexpr int kTerminate = 15;

json::object ProcessObject(const provision::Process& process) {
  return {{"id", process.id},
          {"parent", process.parent},
          {"program", tools::ValidUtf8(process.program)},
          {"arguments", tools::ValidUtf8(process.arguments)},
          {"memory", process.memory},
          {"cpuSeconds", static_cast<double>(process.cpu.count()) / 1e3}};
}

json::array ProcessList(const provision::Usage& usage) {
  json::array processes;
  for (const provision::Process& one : usage.processes) processes.push_back(ProcessObject(one));
  return processes;
}

// `tell` makes the answer of what was seen inside.
template <typename Tell>
Handler Inspecting(const Context& context, Tell tell) {
  return Answering([context, tell](Call& call) {
    auto used = UseSandbox(context, call);
    if (!used.value) return used.problem;
    const auto usage = used.value->driver->Inspect(used.value->sandbox.id);
    if (!usage) return LifeProblem(usage.error());
    return JsonAnswer(200, tell(*usage));
  });
}

json::object Stats(const provision::Usage& usage) {
  return {{"cpuSeconds", static_cast<double>(usage.cpu.count()) / 1e6},
          {"memory", usage.memory},
          {"peakMemory", usage.peak_memory},
          {"disk", usage.disk},
          {"processes", usage.processes.size()},
          {"ports", json::array(usage.ports.begin(), usage.ports.end())}};
}

net::HttpResponse Logs(const Context& context, Call& call) {
  auto found = FindSandbox(context, call);
  if (!found.value) return found.problem;
  std::string lines = found.value->last_lines;
  if (!found.value->ended) {
    auto used = UseSandbox(context, call);
    if (!used.value) return used.problem;
    auto autopsy = used.value->driver->Autopsy(found.value->id);
    if (autopsy) lines = std::move(autopsy->last_lines);
  }
  return JsonAnswer(200, {{"lines", tools::ValidUtf8(lines)}});
}

net::HttpResponse Kill(const Context& context, Call& call) {
  auto body = JsonBody::Parse(call.request);
  if (!body) return ProblemOf(body.error());
  const auto process = body->Number("process", UINT32_MAX);
  const auto signal = body->Number("signal", kHighestSignal).value_or(kTerminate);
  if (!process || *process < 2) body->Refuse("process", "name a process, but not the first one");
  if (const Status checked = body->Check(); !checked) return ProblemOf(checked.error());
  auto used = UseSandbox(context, call);
  if (!used.value) return used.problem;
  const Status sent = used.value->driver->Signal(
      used.value->sandbox.id, static_cast<std::uint32_t>(*process), static_cast<int>(signal));
  if (!sent) return LifeProblem(sent.error());
  return net::HttpResponse{204, {}, {}};
}

}  // namespace

void AddInsideRoutes(Routes& routes, const Context& context) {
  routes.push_back({"GET",
                    "/v1/sandboxes/{id}/stats",
                    "getStats",
                    "What it uses",
                    "sandboxes:read",
                    {{200, "As seen now", {"Stats"}}},
                    Inspecting(context, Stats)});
  routes.push_back({"GET",
                    "/v1/sandboxes/{id}/logs",
                    "getLogs",
                    "The last lines of its log",
                    "sandboxes:read",
                    {{200, "16 KiB at most", {"Logs"}}},
                    Answering([context](Call& call) { return Logs(context, call); })});
  routes.push_back({"GET",
                    "/v1/sandboxes/{id}/processes",
                    "listProcesses",
                    "What runs in it",
                    "sandboxes:read",
                    {{200, "As seen now", {"ProcessList"}}},
                    Inspecting(context, [](const provision::Usage& usage) {
                      return json::object{{"processes", ProcessList(usage)}};
                    })});
  routes.push_back({"POST",
                    "/v1/sandboxes/{id}/kill",
                    "killProcess",
                    "Send a process a signal",
                    "sandboxes:write",
                    {{204, "It was sent"}},
                    Answering([context](Call& call) { return Kill(context, call); }),
                    {},
                    {"KillRequest"}});
}

}  // namespace cordon::serve
