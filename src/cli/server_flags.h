// The flags that say which server a subcommand asks, and how its answers end the program.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cli/report.h"
#include "cordon/result.h"
#include "remote/api_client.h"

namespace cordon::cli {

struct ServerFlags {
  std::optional<std::string> server, state, token_file;
  bool json = false;

  OutputFormat format() const { return json ? OutputFormat::kJson : OutputFormat::kText; }
};

// `flags` must outlive the parse.
void AddServerFlags(CLI::App& command, ServerFlags& flags);
void AddServerJsonFlag(CLI::App& command, ServerFlags& flags);

// By flags, then CORDON_SERVER, CORDON_TOKEN and CORDON_TOKEN_FILE, then what the server has left
// in its state directory. Errors: as remote::FindServer.
Result<remote::ApiClient> FindClient(const ServerFlags& flags);

// Finds the server, does `work` with it and tells of a failure: 1 what the server refused, else 2.
using ServerWork = std::function<Result<ExitStatus>(const remote::ApiClient& client)>;
ExitStatus AskServer(const ServerFlags& flags, const ServerWork& work);

// When `command` is given, it asks the server of its flags, which have a `server`.
template <typename Flags>
void AskWhenGiven(CLI::App& command, std::shared_ptr<Flags> flags, ExitStatus& status,
                  Result<ExitStatus> (*work)(const Flags&, const remote::ApiClient&)) {
  command.callback([flags = std::move(flags), &status, work] {
    status = AskServer(flags->server, [&flags, work](const remote::ApiClient& client) {
      return work(*flags, client);
    });
  });
}

// The id of the sandbox that `text` names: its id, or the beginning of the only one that has it.
// Errors: kNotFound, kAmbiguousMatch.
Result<std::string> FindSandboxId(const remote::ApiClient& client, const std::string& text);

// Every sandbox that `query` ("state=ready") finds, page by page.
Result<boost::json::array> ListSandboxes(const remote::ApiClient& client, const std::string& query);

// A member that is a text, as it stands; "" if there is none.
std::string MemberText(const boost::json::object& object, std::string_view name);
// The same of an object inside: "status", "state".
std::string MemberText(const boost::json::object& object, std::string_view outer,
                       std::string_view name);

// {"success": true, "data": ...} on a line of its own.
void PrintData(boost::json::value data);

}  // namespace cordon::cli
