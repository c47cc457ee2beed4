// cordon sandbox list and rm.
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
#include "remote/url_text.h"

namespace cordon::cli {
namespace {

namespace json = boost::json;

constexpr const char* kAlive = "pending,ready,paused,terminating";
constexpr std::size_t kIdCells = 26, kStateCells = 11, kDriverCells = 12, kIsolationCells = 11,
                      kTimeCells = 20;

struct ListFlags {
  ServerFlags server;
  std::vector<std::string> states;
  std::optional<std::string> driver, conversation;
  bool all = false;
  bool quiet = false;
};

std::string QueryOf(const ListFlags& flags) {
  std::string query = "limit=1000";
  std::string states;
  for (const std::string& one : flags.states) states += (states.empty() ? "" : ",") + one;
  if (states.empty() && !flags.all) states = kAlive;
  if (!states.empty()) query += "&state=" + remote::UrlValue(states);
  if (flags.driver) query += "&driver=" + remote::UrlValue(*flags.driver);
  if (flags.conversation) query += "&conversation=" + remote::UrlValue(*flags.conversation);
  return query;
}

// To the second.
std::string Moment(const std::string& text) {
  return text.size() > 19 ? text.substr(0, 19) + "Z" : text;
}

std::string Row(const std::string& id, const std::string& state, Ink ink, const std::string& driver,
                const std::string& isolation, const std::string& created, const std::string& rest,
                Colour colour) {
  std::string row = Column(Printable(id), kIdCells) + " ";
  row += Inked(Column(Printable(state), kStateCells), ink, colour) + " ";
  row += Column(Printable(driver), kDriverCells) + " ";
  row += Column(Printable(isolation), kIsolationCells) + " ";
  row += Column(Printable(created), kTimeCells);
  if (!rest.empty()) row += " " + Printable(rest);
  return row;
}

void PrintTable(const json::array& sandboxes) {
  const Colour colour = StyleOfStandardOutput().colour;
  std::cout << Row("ID", "STATE", Ink::kPlain, "DRIVER", "ISOLATION", "CREATED",
                   "CONVERSATION OR REASON", colour)
            << '\n';
  for (const json::value& value : sandboxes) {
    if (!value.is_object()) continue;
    const json::object& one = value.get_object();
    const std::string state = MemberText(one, "status", "state");
    Ink ink = Ink::kPlain;
    if (state == "failed") ink = Ink::kRefused;
    if (state == "terminated") ink = Ink::kFaint;
    std::string rest = MemberText(one, "conversationId");
    if (rest.empty()) rest = MemberText(one, "status", "reason");
    std::cout << Row(MemberText(one, "id"), state, ink, MemberText(one, "driver"),
                     MemberText(one, "isolation", "actual"), Moment(MemberText(one, "createdAt")),
                     rest, colour)
              << '\n';
  }
}

Result<json::array> Fetch(const ListFlags& flags, const remote::ApiClient& client) {
  const Progress progress("Asking the server");
  return ListSandboxes(client, QueryOf(flags));
}

Result<ExitStatus> List(const ListFlags& flags, const remote::ApiClient& client) {
  TRY_ASSIGN(json::array sandboxes, Fetch(flags, client));
  if (flags.server.json) {
    PrintData(json::object{{"sandboxes", std::move(sandboxes)}});
  } else if (flags.quiet) {
    for (const json::value& one : sandboxes) {
      if (one.is_object()) std::cout << Printable(MemberText(one.get_object(), "id")) << '\n';
    }
  } else if (sandboxes.empty()) {
    std::cerr << "cordon: there is no sandbox; make one with 'cordon sandbox create'\n";
  } else {
    PrintTable(sandboxes);
  }
  return ExitStatus::kDone;
}

struct RmFlags {
  ServerFlags server;
  std::vector<std::string> ids;
  bool all = false;
};

Result<std::vector<std::string>> Doomed(const RmFlags& flags, const remote::ApiClient& client) {
  std::vector<std::string> ids;
  for (const std::string& text : flags.ids) {
    TRY_ASSIGN(std::string id, FindSandboxId(client, text));
    ids.push_back(std::move(id));
  }
  if (!flags.all) return ids;
  TRY_ASSIGN(const json::array alive, ListSandboxes(client, "state=pending,ready,paused"));
  for (const json::value& one : alive) {
    if (one.is_object()) ids.push_back(MemberText(one.get_object(), "id"));
  }
  return ids;
}

Result<ExitStatus> Remove(const RmFlags& flags, const remote::ApiClient& client) {
  if (flags.ids.empty() && !flags.all) {
    return UsageError("name a sandbox, or say --all; 'cordon sandbox list' shows yours");
  }
  TRY_ASSIGN(const std::vector<std::string> ids, Doomed(flags, client));
  for (const std::string& id : ids) {
    {
      const Progress progress("Ending " + id);
      TRY(client.Delete("/v1/sandboxes/" + id));
    }
    std::cout << Printable(id) << '\n';
  }
  return ExitStatus::kDone;
}

}  // namespace

void AddSandboxList(CLI::App& sandbox, ExitStatus& status) {
  const auto flags = std::make_shared<ListFlags>();
  CLI::App& command = *sandbox.add_subcommand("list", "Your sandboxes, oldest first.");
  command.add_flag("-a,--all", flags->all, "Those that have ended, too");
  command.add_flag("-q,--quiet", flags->quiet, "Only their ids");
  AddList(command, "--only", flags->states, "STATE",
          "Only those that are pending, ready, paused, terminating, terminated or failed. "
          "Repeatable.");
  AddText(command, "--driver", flags->driver, "Only those made by this driver")->type_name("NAME");
  AddText(command, "--conversation", flags->conversation, "Only those of this conversation")
      ->type_name("ID");
  AddServerJsonFlag(command, flags->server);
  AddServerFlags(command, flags->server);
  command.footer(
      "Examples:\n"
      "  cordon sandbox list\n"
      "  cordon sandbox list --all --only failed --json");
  AskWhenGiven(command, flags, status, List);
}

void AddSandboxRm(CLI::App& sandbox, ExitStatus& status) {
  const auto flags = std::make_shared<RmFlags>();
  CLI::App& command = *sandbox.add_subcommand(
      "rm", "End sandboxes, with all that runs in them and their files; prints their ids.");
  AddList(command, "SANDBOX", flags->ids, "", "Which; several may be named")->type_name("");
  command.add_flag("--all", flags->all, "All of yours");
  AddServerFlags(command, flags->server);
  command.footer(
      "Examples:\n"
      "  cordon sandbox rm mfrggzdfmztwq2lk\n"
      "  cordon sandbox rm --all");
  AskWhenGiven(command, flags, status, Remove);
}

}  // namespace cordon::cli
