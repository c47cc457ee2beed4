// What a client wishes for in a sandbox.
#include <algorithm>
#include <string>

#include "serve/object_json.h"

namespace cordon::serve {
namespace {

using provision::Isolation;

constexpr double kMostCpus = 1024;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 50;
constexpr std::uint64_t kMostProcesses = 1'000'000;
constexpr std::uint64_t kMostSeconds = std::uint64_t{366} * 24 * 3600;

std::optional<std::chrono::seconds> Seconds(JsonBody& body, std::string_view name) {
  const auto number = body.Number(name, kMostSeconds);
  if (!number) return std::nullopt;
  if (*number == 0) body.Refuse(name, "this must be one second at least");
  return std::chrono::seconds(*number);
}

void ReadResources(JsonBody& body, provision::Resources& resources) {
  auto given = body.Object("resources");
  if (!given) return;
  JsonBody inner(std::move(*given));
  resources.cpus = inner.Decimal("cpus", kMostCpus).value_or(0);
  resources.memory = inner.Number("memory", kMostBytes).value_or(0);
  resources.processes = inner.Number("processes", kMostProcesses).value_or(0);
  resources.disk = inner.Number("disk", kMostBytes).value_or(0);
  if (const Status checked = inner.Check(); !checked) {
    body.Refuse("resources." + checked.error().component, checked.error().detail);
  }
}

bool IsVariable(std::string_view name, std::string_view value) {
  return !name.empty() && name.find('=') == std::string_view::npos &&
         name.find('\0') == std::string_view::npos && value.find('\0') == std::string_view::npos;
}

void ReadEnvironment(JsonBody& body, std::vector<std::string>& environment) {
  const auto given = body.Object("environment");
  if (!given) return;
  for (const auto& member : *given) {
    const std::string_view name = member.key();
    if (!member.value().is_string() || !IsVariable(name, member.value().get_string())) {
      return body.Refuse("environment", "this must be an object of names with texts");
    }
    std::string variable(name);
    variable += '=';
    variable += std::string_view(member.value().get_string());
    environment.push_back(std::move(variable));
  }
  // The same wish is the same text, whatever order it came in.
  std::sort(environment.begin(), environment.end());
}

std::optional<Isolation> ReadIsolation(JsonBody& body) {
  const auto name = body.Text("isolation");
  if (!name) return std::nullopt;
  for (const Isolation one : {Isolation::kContainer, Isolation::kKernelLine, Isolation::kGvisor}) {
    if (provision::IsolationName(one) == *name) return one;
  }
  body.Refuse("isolation", "this must be container, kernel-line or gvisor");
  return std::nullopt;
}

}  // namespace

provision::Wish ReadWish(JsonBody& body) {
  provision::Wish wish;
  wish.driver = body.Text("driver").value_or("");
  wish.image = body.Text("image").value_or("");
  wish.network = body.Text("network").value_or("none");
  ReadResources(body, wish.resources);
  ReadEnvironment(body, wish.environment);
  wish.isolation = ReadIsolation(body);
  wish.lifetime = Seconds(body, "lifetimeSeconds");
  wish.idle = Seconds(body, "idleSeconds");
  return wish;
}

}  // namespace cordon::serve
