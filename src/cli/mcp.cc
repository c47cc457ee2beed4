// cordon mcp: the tools and files, for programs that speak the Model Context Protocol.
#include <memory>
#include <optional>
#include <string>

#include "base/printable.h"
#include "base/try.h"
#include "cli/command_flags.h"
#include "cli/commands.h"
#include "cli/companion.h"
#include "cli/find_menu.h"
#include "cli/guard_flags.h"
#include "cli/mcp_http.h"
#include "cli/open_guard.h"
#include "cordon/version.h"
#include "mcp/hub.h"
#include "mcp/stdio_server.h"
#include "mcp_tools/tools_service.h"
#include "platform/standard_streams.h"

namespace cordon::cli {
namespace {

struct McpFlags {
  GuardFlags guard;
  std::optional<std::string> dialect;
  McpHttpFlags http;
  CommandFlags command;
};

class StandardLines final : public mcp::LineStream {
 public:
  explicit StandardLines(platform::StandardStreams streams) : streams_(std::move(streams)) {}
  Result<std::size_t> Read(std::span<char> buffer) override { return streams_.Read(buffer); }
  bool HasInput() override { return streams_.HasInput(); }
  Status Write(std::string_view bytes) override { return streams_.Write(bytes); }

 private:
  platform::StandardStreams streams_;
};

// The terminal belongs to whoever started us, who may be drawing on it, and nobody may be
// waiting at a socket: unless told otherwise, a person is asked through the client or not
// at all.
GuardFlags WithDefaults(GuardFlags flags) {
  if (!flags.ask) flags.ask = "none";
  if (!flags.actor) flags.actor = "mcp";
  return flags;
}

Result<std::unique_ptr<mcp::Service>> MakeService(const McpFlags& flags, mcp::Hub& hub) {
  TRY_ASSIGN(const tools::Menu* const menu, FindMenu(flags.dialect));
  TRY_ASSIGN(guard::Guard::Parts parts, OpenGuardParts(WithDefaults(flags.guard)));
  // Without a launcher there are only the file tools; a wrong flag is an error all the same.
  if (FindLauncher()) {
    TRY_ASSIGN(parts.commands, ParseCommandFlags(flags.command));
  }
  mcp_tools::ServiceOptions options;
  options.version = CORDON_VERSION;
  if (parts.boundary.settings().read_only) options.offer = mcp_tools::Offer::kReadOnly;
  return std::unique_ptr<mcp::Service>(
      std::make_unique<mcp_tools::ToolsService>(*menu, std::move(parts), hub, options));
}

Status ServeStandardStreams(const McpFlags& flags) {
  mcp::Hub hub;
  TRY_ASSIGN(const std::unique_ptr<mcp::Service> service, MakeService(flags, hub));
  TRY_ASSIGN(platform::StandardStreams streams, platform::StandardStreams::Take());
  StandardLines lines(std::move(streams));
  return mcp::ServeLines(*service, hub, lines);
}

Status Serve(const McpFlags& flags) {
  if (!flags.http.address) return ServeStandardStreams(flags);
  TRY_ASSIGN(const McpHttpChoices choices, ParseMcpHttpFlags(flags.http));
  return ServeHttp(choices, [&](mcp::Hub& hub) { return MakeService(flags, hub); });
}

ExitStatus Run(const McpFlags& flags) {
  const Status served = Serve(flags);
  // What comes after this on stdout would be taken for the protocol's.
  return served ? ExitStatus::kDone : ReportSetupError(served.error(), OutputFormat::kText);
}

}  // namespace

void AddMcpCommand(CLI::App& app, ExitStatus& status) {
  const auto flags = std::make_shared<McpFlags>();
  CLI::App& command = *app.add_subcommand(
      "mcp", "Serve the tools over the Model Context Protocol, on stdin and stdout or HTTP.");
  command
      .add_option_function<std::string>(
          "DIR", [flags](const std::string& root) { flags->guard.common.roots.push_back(root); },
          "A root, as --root names it")
      ->trigger_on_parse()
      ->allow_extra_args();
  AddGuardFlags(command, flags->guard);
  AddText(command, "--dialect", flags->dialect, "Names, parameters and texts of another agent")
      ->type_name("NAME");
  command.add_flag("--read-only", flags->guard.read_only,
                   "Offer only what changes nothing, and refuse changes in every root");
  AddCommandFlags(command, flags->command);
  AddMcpHttpFlags(command, flags->http);
  command.footer(
      "A person is asked through the client, if it can; else as --ask says, here by default\n"
      "nobody. --ask socket leaves it to 'cordon approve'.\n"
      "Example:\n"
      "  cordon mcp ~/project\n"
      "or, in a client's configuration,\n"
      "  {\"command\": \"cordon\", \"args\": [\"mcp\", \"/home/me/project\"]}");
  command.callback([flags, &status] { status = Run(*flags); });
}

}  // namespace cordon::cli
