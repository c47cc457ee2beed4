// cordon file: one operation on a file, or a batch of them, through the guard.
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>

#include "base/printable.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/file_batch.h"
#include "cli/file_request.h"
#include "cli/guard_flags.h"
#include "cli/json_output.h"
#include "cli/judge.h"
#include "cli/open_guard.h"
#include "cli/percent_argument.h"

namespace cordon::cli {
namespace {

struct FileFlags {
  GuardFlags guard;
  std::optional<std::string> path;
  std::optional<std::string> to;
  bool recursive = false;
  bool percent = false;
};

Result<std::string> ReadInput() {
  std::string content;
  std::istreambuf_iterator<char> in(std::cin);
  for (; in != std::istreambuf_iterator<char>(); ++in) {
    if (content.size() >= kMaxContentBytes) return UsageError("the content is larger than 64 MiB");
    content += *in;
  }
  return content;
}

Result<FileRequest> MakeRequest(FileOperation operation, const FileFlags& flags) {
  FileRequest request;
  request.operation = operation;
  request.path = flags.path.value_or("");
  request.to = flags.to.value_or("");
  if (flags.percent) {
    TRY_ASSIGN(request.path, PercentArgument(request.path));
    TRY_ASSIGN(request.to, PercentArgument(request.to));
  }
  if (flags.recursive) request.depth = FileRequest::Depth::kAll;
  if (operation == FileOperation::kWrite || operation == FileOperation::kAppend) {
    TRY_ASSIGN(request.content, ReadInput());
  }
  return request;
}

void PrintResult(const FileRequest& request, const FileResult& result) {
  if (request.operation == FileOperation::kRead) std::cout << result.content;
  for (const confine::DirectoryEntry& entry : result.entries) {
    std::cout << Printable(entry.name)
              << (entry.type == platform::FileType::kDirectory ? "/\n" : "\n");
  }
  if (result.stat) {
    std::cout << "a " << FileTypeName(result.stat->type) << " of " << result.stat->size
              << " bytes\n";
  }
}

ExitStatus Answer(const FileRequest& request, const Result<FileResult>& result,
                  OutputFormat format) {
  if (format == OutputFormat::kJson) {
    boost::json::object answer;
    answer["success"] = result.has_value();
    if (result) {
      answer["data"] = FileResultObject(request, *result);
    } else {
      answer["error"] = ErrorObject(result.error(), request.path);
    }
    std::cout << Serialize(answer) << '\n';
  } else if (result) {
    PrintResult(request, *result);
  } else {
    std::cerr << "cordon: " << result.error().Message(request.path) << " ("
              << ErrorCodeName(result.error().code) << ")\n";
  }
  return result ? ExitStatus::kDone : StatusOfRefusal(result.error());
}

ExitStatus RunOne(FileOperation operation, const FileFlags& flags) {
  const OutputFormat format = flags.guard.common.format();
  const Result<FileRequest> request = MakeRequest(operation, flags);
  if (!request) return ReportSetupError(request.error(), format);
  const Result<std::unique_ptr<guard::Guard>> guard = OpenGuard(flags.guard);
  if (!guard) return ReportSetupError(guard.error(), format);
  return Answer(*request, Perform(**guard, *request), format);
}

ExitStatus RunMany(const FileFlags& flags) {
  const Result<std::unique_ptr<guard::Guard>> guard = OpenGuard(flags.guard);
  if (!guard) return ReportSetupError(guard.error(), flags.guard.common.format());
  return RunBatch(**guard, std::cin, std::cout);
}

struct Subcommand {
  const char* name;
  FileOperation operation;
  const char* help;
  const char* recursive;  // help of -r; null where there is none
  const char* example;
};
constexpr Subcommand kSubcommands[] = {
    {"read", FileOperation::kRead, "Print a file", nullptr,
     "cordon file read --root ~/project README.md"},
    {"write", FileOperation::kWrite, "Replace or make a file; its content comes from stdin",
     nullptr, "echo hello | cordon file write --root ~/project notes.txt"},
    {"append", FileOperation::kAppend, "Add what comes from stdin to the end of a file", nullptr,
     "date | cordon file append --root ~/project notes.txt"},
    {"list", FileOperation::kList, "List a directory", nullptr,
     "cordon file list --root ~/project src"},
    {"stat", FileOperation::kStat, "Kind and size", nullptr,
     "cordon file stat --root ~/project --json README.md"},
    {"mkdir", FileOperation::kMkdir, "Make a directory", "Make missing parents, too",
     "cordon file mkdir --root ~/project -r docs/pictures"},
    {"move", FileOperation::kMove, "Move or rename", nullptr,
     "cordon file move --root ~/project draft.md final.md"},
    {"delete", FileOperation::kDelete, "Delete a file or an empty directory",
     "Delete a directory with everything below it", "cordon file delete --root ~/project -r build"},
};

}  // namespace

void AddFileCommand(CLI::App& app, ExitStatus& status) {
  CLI::App& command = *app.add_subcommand(
      "file", "Work on files as an agent would: decided, asked about where needed, recorded.");
  command.require_subcommand(1);
  command.footer("Example:\n  cordon file read --root ~/project README.md");
  for (const Subcommand& known : kSubcommands) {
    const auto flags = std::make_shared<FileFlags>();
    CLI::App& sub = *command.add_subcommand(known.name, known.help);
    AddText(sub, "PATH", flags->path, "The path, as an agent would give it")->required();
    if (known.operation == FileOperation::kMove) {
      AddText(sub, "TO", flags->to, "The new path")->required();
    }
    if (known.recursive != nullptr) sub.add_flag("-r", flags->recursive, known.recursive);
    sub.add_flag("--percent", flags->percent, "Paths are percent-encoded (%00 is NUL)");
    AddGuardFlags(sub, flags->guard);
    AddJsonFlag(sub, flags->guard.common);
    sub.footer(std::string("Example:\n  ") + known.example);
    sub.callback(
        [flags, operation = known.operation, &status] { status = RunOne(operation, *flags); });
  }
  const auto flags = std::make_shared<FileFlags>();
  CLI::App& batch = *command.add_subcommand(
      "batch", "One JSON request a line from stdin, one JSON answer a line: one session");
  AddGuardFlags(batch, flags->guard);
  AddJsonFlag(batch, flags->guard.common);
  batch.footer(
      "Example:\n"
      "  echo '{\"id\":1,\"op\":\"read\",\"path\":\"README.md\"}' | cordon file batch --root "
      "~/project");
  batch.callback([flags, &status] { status = RunMany(*flags); });
}

}  // namespace cordon::cli
