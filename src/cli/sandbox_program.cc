#include "cli/sandbox_program.h"

#include <boost/json/array.hpp>

#include "base/printable.h"
#include "base/try.h"
#include "base/unicode.h"
#include "cli/common_flags.h"
#include "cli/sandbox_commands.h"

namespace cordon::cli {
namespace {

namespace json = boost::json;

constexpr std::int64_t kSignalBase = 128;

Status CheckText(const std::string& what, const std::string& text) {
  if (unicode::IsValidUtf8(text)) return {};
  return UsageError(what + ": " + Quoted(text) + " is no UTF-8, and the server takes nothing else");
}

std::int64_t Number(const json::object& object, std::string_view name) {
  const json::value* const found = object.if_contains(name);
  json::error_code none;
  return found == nullptr ? 0 : found->to_number<std::int64_t>(none);
}

}  // namespace

void AddProgramFlags(CLI::App& command, ProgramFlags& flags) {
  AddText(command, "SANDBOX", flags.id, "Which")->required()->type_name("");
  AddText(command, "--dir", flags.directory, "Where it runs; default /workspace")->type_name("DIR");
  AddList(command, "--env", flags.environment, "NAME=VALUE", "A variable for it. Repeatable.");
  AddServerFlags(command, flags.server);
}

Result<json::object> ProgramObject(const ProgramFlags& flags, const AfterDashes& words) {
  json::object object;
  json::array arguments;
  for (const std::string& word : words) {
    TRY(CheckText("the program", word));
    arguments.emplace_back(word);
  }
  if (!arguments.empty()) object["arguments"] = std::move(arguments);
  if (flags.directory) {
    TRY(CheckText("--dir", *flags.directory));
    object["directory"] = *flags.directory;
  }
  json::object environment;
  for (const std::string& variable : flags.environment) {
    TRY(CheckText("--env", variable));
    const std::size_t equals = variable.find('=');
    if (equals == std::string::npos || equals == 0) {
      return UsageError("--env: " + Quoted(variable) + " is not NAME=VALUE");
    }
    environment[variable.substr(0, equals)] = variable.substr(equals + 1);
  }
  object["environment"] = std::move(environment);
  return object;
}

ExitStatus ProgramStatus(const json::object& end) {
  const std::int64_t signal = Number(end, "signal");
  const std::int64_t status = signal == 0 ? Number(end, "exitStatus") : kSignalBase + signal;
  return static_cast<ExitStatus>(status);
}

ExitStatus AskForProgram(const ServerFlags& flags, const ServerWork& work) {
  const Result<remote::ApiClient> client = FindClient(flags);
  const Result<ExitStatus> done = client ? work(*client) : Result<ExitStatus>(client.error());
  if (done) return *done;
  static_cast<void>(ReportSetupError(done.error(), OutputFormat::kText));
  return kNotRun;
}

}  // namespace cordon::cli
