// cordon serve: one sandbox per conversation, over HTTP.
#include <chrono>
#include <iostream>
#include <memory>
#include <utility>

#include "api/load_settings.h"
#include "audit/log.h"
#include "auth/token_file.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/serve_drivers.h"
#include "cli/serve_flags.h"
#include "cli/serve_token.h"
#include "confine/ambient_authority.h"
#include "cordon/version.h"
#include "platform/standard_output.h"
#include "remote/server_place.h"
#include "serve/accounts.h"
#include "serve/service.h"
#include "serve/web_assets.h"
#include "store/server_lock.h"

namespace cordon::cli {
namespace {

constexpr const char* kTokenFile = "token";
constexpr const char* kOwner = "owner";

// Who starts the server for the first time gets a token for everything.
Status WelcomeOwner(store::Store& store, const std::string& state) {
  TRY_ASSIGN(const auto users, store.ListUsers());
  if (!users.empty()) return {};
  const store::Time now = serve::SystemNow();
  TRY_ASSIGN(const store::User owner, serve::EnsureUser(store, kOwner, now));
  TRY_ASSIGN(const serve::NewToken token,
             serve::CreateToken(store, {owner.id, "first", serve::AllScopes(), {}}, now));
  TRY(auth::WriteTokenFile(state, kTokenFile, token.secret));
  std::cerr << "cordon: the owner's API token is in " << Printable(state) << "/" << kTokenFile
            << '\n'
            << std::flush;
  return {};
}

// Nothing of Cordon's own is ever given away; the workspaces lie in there.
serve::ServiceParts::Interactive InteractiveOwner(const std::string& state) {
  policy::Settings settings;
  api::ProtectOwn(settings, std::nullopt);
  settings.own.push_back({state});
  for (policy::Protected& own : settings.own) own.holds = policy::Protected::Holds::kWorkspaces;
  return {kOwner, std::move(settings.own)};
}

Result<std::unique_ptr<serve::Service>> OpenService(const ServeChoices& choices) {
  serve::ServiceParts parts;
  parts.log_file = choices.state + "/audit.jsonl";
  parts.key_file = choices.state + "/audit.key";
  TRY_ASSIGN(parts.recorder, audit::Log::Open({parts.log_file, parts.key_file}, {},
                                              confine::AmbientAuthority::OfThisProcess()));
  TRY_ASSIGN(parts.store, OpenServeStore(choices.state));
  TRY(WelcomeOwner(*parts.store, choices.state));
  TRY_ASSIGN(parts.drivers, OpenDrivers(choices.drivers, choices.state));
  parts.policy = choices.policy;
  parts.tools = choices.tools;
  if (choices.profile == policy::Profile::kInteractive) {
    parts.interactive = InteractiveOwner(choices.state);
  }
  parts.undo_directory = choices.state + "/undo";
  parts.api.address = choices.address;
  parts.api.version = CORDON_VERSION;
  parts.previews = choices.previews;
  parts.state = choices.state;
  return serve::Service::Open(std::move(parts));
}

// For the one at the terminal. The code is in the fragment, which no browser sends anywhere.
void TellLink(serve::Service& service, const ServeChoices& choices) {
  if (!choices.address.unix_socket.empty() || serve::WebAssets().empty()) return;
  const auto link = service.SignInLink(kOwner);
  if (!link) return;  // somebody has done without an owner
  std::cerr << "cordon: dashboard, once and within ten minutes: " << *link << '\n' << std::flush;
}

Status Serve(const ServeFlags& flags) {
  TRY_ASSIGN(const ServeChoices choices, ParseServeFlags(flags));
  TRY_ASSIGN(const store::ServerLock lock, store::ServerLock::Take(choices.state));
  // Before there are threads, which must not take the signals.
  TRY_ASSIGN(const platform::OutputWatch watch, platform::OutputWatch::Begin());
  TRY_ASSIGN(const std::unique_ptr<serve::Service> service, OpenService(choices));
  // So that 'cordon sandbox' finds it.
  TRY_ASSIGN(const remote::AddressFile found,
             remote::AddressFile::Write(choices.state, service->url()));
  std::cout << service->url() << '\n' << std::flush;
  if (const std::string previews = service->preview_address(); !previews.empty()) {
    std::cerr << "cordon: previews are shown at " << previews << '\n' << std::flush;
  }
  TellLink(*service, choices);
  while (watch.Wait(std::chrono::hours(1)) == platform::OutputWatch::Outcome::kGoOn) {
  }
  return {};
}

ExitStatus Run(const ServeFlags& flags) {
  const Status served = Serve(flags);
  return served ? ExitStatus::kDone : ReportSetupError(served.error(), OutputFormat::kText);
}

}  // namespace

void AddServeCommand(CLI::App& app, ExitStatus& status) {
  const auto flags = std::make_shared<ServeFlags>();
  CLI::App& command = *app.add_subcommand(
      "serve", "Serve sandboxes, one for each conversation, over HTTP, until told to end.");
  AddServeFlags(command, *flags);
  AddServeTokenCommand(command, status);
  command.require_subcommand(0, 1);
  command.footer(
      "Prints its address. At the first start the owner's API token is put into a file, and\n"
      "the file's path said on stderr. docs/http-api.md describes the API.\n"
      "Example:\n"
      "  cordon serve --listen 127.0.0.1:7070 --pool 4");
  command.callback([flags, &command, &status] {
    if (command.get_subcommands().empty()) status = Run(*flags);
  });
}

}  // namespace cordon::cli
