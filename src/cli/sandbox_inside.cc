// cordon sandbox logs and stats.
#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>
#include <memory>
#include <utility>

#include "base/printable.h"
#include "base/try.h"
#include "cli/cells.h"
#include "cli/common_flags.h"
#include "cli/output_style.h"
#include "cli/progress.h"
#include "cli/sandbox_commands.h"
#include "cli/server_flags.h"
#include "platform/standard_output.h"

namespace cordon::cli {
namespace {

namespace json = boost::json;

constexpr std::size_t kIdCells = 26, kNumberCells = 10;

struct LogsFlags {
  ServerFlags server;
  std::optional<std::string> id;
};

// A terminal is shown nothing that could command it; a file gets every byte.
void PrintLines(std::string_view lines) {
  if (!platform::DescribeStandardOutput().is_terminal) {
    std::cout << lines;
    return;
  }
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    std::cout << Printable(lines.substr(0, end), lines.size()) << '\n';
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
}

Result<ExitStatus> Logs(const LogsFlags& flags, const remote::ApiClient& client) {
  TRY_ASSIGN(const std::string id, FindSandboxId(client, flags.id.value_or("")));
  TRY_ASSIGN(json::object logs, client.Get("/v1/sandboxes/" + id + "/logs"));
  if (flags.server.json) {
    PrintData(std::move(logs));
  } else {
    PrintLines(MemberText(logs, "lines"));
  }
  return ExitStatus::kDone;
}

struct StatsFlags {
  ServerFlags server;
  std::vector<std::string> ids;
};

double Number(const json::object& object, std::string_view name) {
  const json::value* const found = object.if_contains(name);
  json::error_code none;
  return found == nullptr ? 0 : found->to_number<double>(none);
}

std::string Fixed(const char* format, double number) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, number);
  return text.data();
}

std::string Bytes(double bytes) {
  constexpr double kStep = 1024;
  if (bytes < kStep * kStep) return Fixed("%.0f KiB", bytes / kStep);
  if (bytes < kStep * kStep * kStep) return Fixed("%.1f MiB", bytes / kStep / kStep);
  return Fixed("%.1f GiB", bytes / kStep / kStep / kStep);
}

std::string Ports(const json::object& stats) {
  std::string text;
  const json::value* const found = stats.if_contains("ports");
  if (found == nullptr || !found->is_array()) return text;
  for (const json::value& port : found->get_array()) {
    json::error_code none;
    text += (text.empty() ? "" : " ") + std::to_string(port.to_number<std::uint32_t>(none));
  }
  return text;
}

std::string Row(const std::string& id, const std::array<std::string, 5>& numbers,
                const std::string& ports) {
  std::string row = Column(id, kIdCells);
  for (const std::string& one : numbers) {
    const std::size_t width = CellWidth(one);
    row += std::string(1 + (width < kNumberCells ? kNumberCells - width : 0), ' ') + one;
  }
  if (!ports.empty()) row += "  " + ports;
  return row;
}

void PrintTable(const json::array& all) {
  std::cout << Row("ID", {"CPU", "MEMORY", "PEAK", "DISK", "PROCESSES"}, "PORTS") << '\n';
  for (const json::value& value : all) {
    const json::object& one = value.get_object();
    std::cout << Row(Printable(MemberText(one, "id")),
                     {Fixed("%.2f s", Number(one, "cpuSeconds")), Bytes(Number(one, "memory")),
                      Bytes(Number(one, "peakMemory")), Bytes(Number(one, "disk")),
                      Fixed("%.0f", Number(one, "processes"))},
                     Ports(one))
              << '\n';
  }
}

Result<std::vector<std::string>> Asked(const StatsFlags& flags, const remote::ApiClient& client) {
  std::vector<std::string> ids;
  for (const std::string& text : flags.ids) {
    TRY_ASSIGN(std::string id, FindSandboxId(client, text));
    ids.push_back(std::move(id));
  }
  if (!ids.empty()) return ids;
  TRY_ASSIGN(const json::array ready, ListSandboxes(client, "limit=1000&state=ready,paused"));
  for (const json::value& one : ready) {
    if (one.is_object()) ids.push_back(MemberText(one.get_object(), "id"));
  }
  return ids;
}

Result<json::array> Collect(const StatsFlags& flags, const remote::ApiClient& client) {
  Progress progress("Looking into sandboxes");
  TRY_ASSIGN(const std::vector<std::string> ids, Asked(flags, client));
  json::array all;
  for (const std::string& id : ids) {
    progress.Tell(std::to_string(all.size()) + " of " + std::to_string(ids.size()));
    auto stats = client.Get("/v1/sandboxes/" + id + "/stats");
    // One that has ended since it was listed is no failure.
    if (!stats && flags.ids.empty() && stats.error().op == "server") continue;
    if (!stats) return std::move(stats.error());
    json::object told{{"id", id}};
    for (auto& member : *stats) told[member.key()] = std::move(member.value());
    all.push_back(std::move(told));
  }
  return all;
}

Result<ExitStatus> Stats(const StatsFlags& flags, const remote::ApiClient& client) {
  TRY_ASSIGN(json::array all, Collect(flags, client));
  if (flags.server.json) {
    PrintData(json::object{{"sandboxes", std::move(all)}});
  } else if (all.empty()) {
    std::cerr << "cordon: no sandbox is ready; make one with 'cordon sandbox create'\n";
  } else {
    PrintTable(all);
  }
  return ExitStatus::kDone;
}

}  // namespace

void AddSandboxLogs(CLI::App& sandbox, ExitStatus& status) {
  const auto flags = std::make_shared<LogsFlags>();
  CLI::App& command = *sandbox.add_subcommand(
      "logs", "The last lines of a sandbox's log, also of one that has ended.");
  AddText(command, "SANDBOX", flags->id, "Which")->required()->type_name("");
  AddServerJsonFlag(command, flags->server);
  AddServerFlags(command, flags->server);
  command.footer("Example:\n  cordon sandbox logs mfrggzdfmztwq2lk");
  AskWhenGiven(command, flags, status, Logs);
}

void AddSandboxStats(CLI::App& sandbox, ExitStatus& status) {
  const auto flags = std::make_shared<StatsFlags>();
  CLI::App& command = *sandbox.add_subcommand("stats", "What sandboxes use, as seen now.");
  AddList(command, "SANDBOX", flags->ids, "", "Which; default all that are ready")->type_name("");
  AddServerJsonFlag(command, flags->server);
  AddServerFlags(command, flags->server);
  command.footer("Example:\n  cordon sandbox stats --json");
  AskWhenGiven(command, flags, status, Stats);
}

}  // namespace cordon::cli
