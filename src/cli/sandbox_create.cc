// cordon sandbox create: makes one and waits until it is ready.
#include <charconv>
#include <iostream>
#include <memory>
#include <thread>
#include <utility>

#include "base/printable.h"
#include "base/try.h"
#include "cli/common_flags.h"
#include "cli/progress.h"
#include "cli/sandbox_commands.h"
#include "cli/server_flags.h"

namespace cordon::cli {
namespace {

namespace json = boost::json;
using std::chrono::milliseconds;

constexpr milliseconds kFirstLook{5};
constexpr milliseconds kLongestLook{200};
constexpr std::uint64_t kMib = std::uint64_t{1} << 20;

struct CreateFlags {
  ServerFlags server;
  std::optional<std::string> driver, image, network, isolation, cpus, memory, processes, disk,
      lifetime, idle;
  std::vector<std::string> environment;
  bool no_wait = false;
};

template <typename Number>
Status AddNumber(json::object& object, std::string_view name, const std::string& flag,
                 const std::optional<std::string>& text, Number unit) {
  if (!text) return {};
  Number number = 0;
  const char* const end = text->data() + text->size();
  const auto [stopped, failed] = std::from_chars(text->data(), end, number);
  if (failed != std::errc() || stopped != end || !(number > 0)) {
    return UsageError(flag + ": " + Quoted(*text) + " is no number above 0");
  }
  object[name] = number * unit;
  return {};
}

void PutText(json::object& object, std::string_view name, const std::optional<std::string>& text) {
  if (text) object[name] = *text;
}

Result<json::object> WishOf(const CreateFlags& flags) {
  json::object wish;
  PutText(wish, "driver", flags.driver);
  PutText(wish, "image", flags.image);
  PutText(wish, "network", flags.network);
  PutText(wish, "isolation", flags.isolation);
  const std::uint64_t one = 1;
  TRY(AddNumber(wish, "lifetimeSeconds", "--lifetime", flags.lifetime, one));
  TRY(AddNumber(wish, "idleSeconds", "--idle", flags.idle, one));
  json::object resources;
  TRY(AddNumber(resources, "cpus", "--cpus", flags.cpus, 1.0));
  TRY(AddNumber(resources, "memory", "--memory", flags.memory, kMib));
  TRY(AddNumber(resources, "processes", "--processes", flags.processes, one));
  TRY(AddNumber(resources, "disk", "--disk", flags.disk, kMib));
  if (!resources.empty()) wish["resources"] = std::move(resources);
  json::object environment;
  for (const std::string& variable : flags.environment) {
    const std::size_t equals = variable.find('=');
    if (equals == std::string::npos || equals == 0) {
      return UsageError("--env: " + Quoted(variable) + " is not NAME=VALUE");
    }
    environment[variable.substr(0, equals)] = variable.substr(equals + 1);
  }
  if (!environment.empty()) wish["environment"] = std::move(environment);
  return wish;
}

Error NotMade(const json::object& sandbox) {
  Error error;
  error.code = ErrorCode::kCommandFailed;
  error.op = "server";
  error.detail = "the sandbox could not be made (" + MemberText(sandbox, "status", "reason") +
                 "): " + MemberText(sandbox, "status", "message") +
                 "; the server's own output, and 'cordon doctor' on its machine, say more";
  return error;
}

Result<json::object> WaitUntilReady(const remote::ApiClient& client, json::object sandbox) {
  const Progress progress("Making a sandbox");
  milliseconds pause = kFirstLook;
  while (MemberText(sandbox, "status", "state") == "pending") {
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, kLongestLook);
    TRY_ASSIGN(sandbox, client.Get("/v1/sandboxes/" + MemberText(sandbox, "id")));
  }
  return sandbox;
}

Result<ExitStatus> Create(const CreateFlags& flags, const remote::ApiClient& client) {
  TRY_ASSIGN(const json::object wish, WishOf(flags));
  TRY_ASSIGN(json::object sandbox, client.Post("/v1/sandboxes", wish));
  if (!flags.no_wait) {
    TRY_ASSIGN(sandbox, WaitUntilReady(client, std::move(sandbox)));
    if (MemberText(sandbox, "status", "state") != "ready") return NotMade(sandbox);
  }
  if (flags.server.json) {
    PrintData(std::move(sandbox));
  } else {
    std::cout << Printable(MemberText(sandbox, "id")) << '\n';
  }
  return ExitStatus::kDone;
}

void AddWishFlags(CLI::App& command, CreateFlags& flags) {
  const auto text = [&command](const char* name, std::optional<std::string>& value,
                               const char* type, const char* help) {
    AddText(command, name, value, help)->type_name(type);
  };
  text("--driver", flags.driver, "NAME", "What makes it: local, docker+runc or docker+runsc");
  text("--image", flags.image, "NAME", "The image, for Docker's");
  text("--network", flags.network, "none|full|allow:HOST,...", "What it may reach; default none");
  text("--isolation", flags.isolation, "container|kernel-line|gvisor",
       "At least this, or it is not made");
  text("--cpus", flags.cpus, "N", "Processors it may use, such as 0.5");
  text("--memory", flags.memory, "MIB", "Memory it may use");
  text("--processes", flags.processes, "N", "Processes it may have");
  text("--disk", flags.disk, "MIB", "What it may store");
  text("--lifetime", flags.lifetime, "SECONDS", "When it is ended in any case");
  text("--idle", flags.idle, "SECONDS", "When it is ended if nobody uses it");
  AddList(command, "--env", flags.environment, "NAME=VALUE",
          "A variable of every program in it. Repeatable.");
}

}  // namespace

void AddSandboxCreate(CLI::App& sandbox, ExitStatus& status) {
  const auto flags = std::make_shared<CreateFlags>();
  CLI::App& command = *sandbox.add_subcommand("create", "Make a sandbox; prints its id.");
  AddWishFlags(command, *flags);
  command.add_flag("--no-wait", flags->no_wait, "Do not wait until it is ready");
  AddServerJsonFlag(command, flags->server);
  AddServerFlags(command, flags->server);
  command.footer(
      "Examples:\n"
      "  cordon sandbox create\n"
      "  cordon sandbox create --memory 512 --cpus 0.5 --network allow:registry.example.org");
  AskWhenGiven(command, flags, status, Create);
}

}  // namespace cordon::cli
