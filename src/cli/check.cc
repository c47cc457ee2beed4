// cordon check: would this be allowed?
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "base/printable.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/common_flags.h"
#include "cli/json_output.h"
#include "cli/judge.h"
#include "cli/percent_argument.h"

namespace cordon::cli {
namespace {

struct CheckFlags {
  CommonFlags common;
  std::optional<std::string> operation;
  std::optional<std::string> path;
  std::optional<std::string> to;
  bool percent = false;
};

struct Request {
  Operation operation = Operation::kRead;
  std::string path;
  std::optional<std::string> to;  // for rename
};

struct Refusal {
  Error error;
  RenameEnd at = RenameEnd::kFrom;
};

// The path a refusal is about.
const std::string& Refused(const Request& request, const Refusal& refusal) {
  return refusal.at == RenameEnd::kTo ? *request.to : request.path;
}

Result<Request> ReadRequest(const CheckFlags& flags) {
  Request request;
  TRY_ASSIGN(request.operation, ParseOperationFlag(flags.operation.value_or("read")));
  request.path = flags.path.value_or("");
  request.to = flags.to;
  if (flags.percent) {
    TRY_ASSIGN(request.path, PercentArgument(request.path));
    if (request.to) {
      TRY_ASSIGN(request.to, PercentArgument(*request.to));
    }
  }
  if (request.operation != Operation::kRename && request.to) {
    return UsageError("--to belongs to --op rename");
  }
  return request;
}

void PrintAllowed(const Request& request, const Judged& judged) {
  std::cout << "allowed: " << OperationName(request.operation) << ' ' << Quoted(request.path);
  if (request.to) std::cout << " to " << Quoted(*request.to);
  std::cout << "\n  root       " << Quoted(judged.root->real_path()) << "\n  really     "
            << (judged.found.path.empty() ? "the root itself" : Quoted(judged.found.path)) << ", ";
  if (judged.found.exists) {
    std::cout << "a " << FileTypeName(judged.found.stat.type) << '\n';
  } else {
    std::cout << "which does not exist yet\n";
  }
}

void PrintRefused(const Request& request, const Refusal& refusal) {
  const Error& error = refusal.error;
  std::cout << "refused: " << OperationName(request.operation) << ' '
            << Quoted(Refused(request, refusal)) << " (" << ErrorCodeName(error.code) << ")\n";
  if (refusal.at == RenameEnd::kTo) std::cout << "  argument   --to\n";
  if (!error.rule.empty()) std::cout << "  rule       " << Printable(error.rule) << '\n';
  if (!error.component.empty()) std::cout << "  component  " << Quoted(error.component) << '\n';
  std::cout << "  reason     " << Printable(error.detail.empty() ? error.AiMessage() : error.detail)
            << '\n';
}

boost::json::object Describe(const Request& request) {
  boost::json::object object;
  object["operation"] = OperationName(request.operation);
  AddBytes(object, "path", request.path);
  if (request.to) AddBytes(object, "to", *request.to);
  return object;
}

boost::json::object AllowedObject(const Request& request, const Judged& judged) {
  boost::json::object data = Describe(request);
  data["verdict"] = "allowed";
  AddBytes(data, "root", judged.root->real_path());
  AddBytes(data, "resolvedPath", judged.found.path);
  data["exists"] = judged.found.exists;
  if (judged.found.exists) data["type"] = FileTypeName(judged.found.stat.type);
  data["resolver"] = ResolverName(judged.root->active_resolver());
  return data;
}

boost::json::object RefusedObject(const Request& request, const Refusal& refusal) {
  boost::json::object error = ErrorObject(refusal.error, Refused(request, refusal));
  if (refusal.at == RenameEnd::kTo) error["argument"] = "to";
  return error;
}

ExitStatus Answer(const guard::Boundary& boundary, const Request& request, OutputFormat format) {
  RenameEnd at = RenameEnd::kFrom;
  const Result<Judged> judged = request.to ? JudgeRename(boundary, request.path, *request.to, at)
                                           : Judge(boundary, request.operation, request.path);
  if (format == OutputFormat::kText) {
    PrintWarnings(boundary.warnings());
    if (judged) {
      PrintAllowed(request, *judged);
    } else {
      PrintRefused(request, {judged.error(), at});
    }
  } else {
    boost::json::object result;
    result["success"] = judged.has_value();
    if (judged) {
      result["data"] = AllowedObject(request, *judged);
    } else {
      result["data"] = Describe(request);
      result["data"].as_object()["verdict"] = "refused";
      result["error"] = RefusedObject(request, {judged.error(), at});
    }
    if (!boundary.warnings().empty()) result["warnings"] = TextArray(boundary.warnings());
    std::cout << Serialize(result) << '\n';
  }
  return judged ? ExitStatus::kDone : StatusOfRefusal(judged.error());
}

ExitStatus Run(const CheckFlags& flags) {
  const OutputFormat format = flags.common.format();
  const Result<Request> request = ReadRequest(flags);
  if (!request) return ReportSetupError(request.error(), format);
  const Result<policy::Settings> settings = LoadSettings(flags.common);
  if (!settings) return ReportSetupError(settings.error(), format);
  const Result<guard::Boundary> boundary = OpenBoundary(*settings);
  if (!boundary) return ReportSetupError(boundary.error(), format);
  return Answer(*boundary, *request, format);
}

}  // namespace

void AddCheckCommand(CLI::App& app, ExitStatus& status) {
  CLI::App& command = *app.add_subcommand(
      "check", "Would this be allowed? PATH is looked at, never read or changed.");
  const auto flags = std::make_shared<CheckFlags>();
  AddText(command, "--op", flags->operation, "What would be done; default read")
      ->type_name("read|write|create|delete|list|mkdir|rename|stat");
  AddText(command, "--to", flags->to, "For --op rename: judge the new name as well")
      ->type_name("PATH");
  command.add_flag("--percent", flags->percent,
                   "PATH is percent-encoded (%00 is NUL), as --json prints odd names");
  AddText(command, "PATH", flags->path, "The path, as an agent would give it")->required();
  AddCommonFlags(command, flags->common);
  command.footer(
      "Refused is also what would fail, because it is missing or of the wrong kind.\n"
      "Exit status: 0 allowed, 1 refused, 2 usage or configuration error, 3 cannot enforce.\n"
      "Examples:\n"
      "  cordon check --root ~/project --op read src/main.cc\n"
      "  cordon check --root ~/project --op rename a.txt --to b.txt --json\n"
      "  cordon check --root ~/project -- -name-with-a-dash");
  command.callback([flags, &status] { status = Run(*flags); });
}

}  // namespace cordon::cli
