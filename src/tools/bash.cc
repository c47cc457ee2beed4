#include "base/printable.h"
#include "base/try.h"
#include "tools/all.h"
#include "tools/command_preview.h"
#include "tools/command_report.h"

namespace cordon::tools {
namespace {

constexpr std::int64_t kUsualTimeout = 120;
constexpr std::int64_t kLongestTimeout = 3600;
constexpr guard::CapturedStream::Room kRoom{32 * 1024, 64 * 1024};
constexpr std::chrono::milliseconds kPatience{100};
// A command without a line break may still hold one inside quotes.
constexpr std::string_view kShell = "bash";

constexpr std::string_view kDirectoryAliases[] = {"working_directory", "workdir", "directory"};

constexpr Field kInput[] = {
    {"command", FieldType::kText, Need::kRequired, "The command line, as bash reads it."},
    {"cwd",
     FieldType::kPath,
     Need::kOptional,
     "Where it starts; the workspace if not given.",
     {},
     {},
     {},
     {},
     kDirectoryAliases},
    {"timeout",
     FieldType::kInteger,
     Need::kOptional,
     "Seconds after which it is ended; 120 if not given, in the background none.",
     {},
     1,
     kLongestTimeout},
    {"background", FieldType::kFlag, Need::kOptional,
     "Give back a handle at once; follow it with bash_output."},
    {"env", FieldType::kTextList, Need::kOptional, "Variables it gets in addition, as NAME=value."},
};

Status CheckVariables(const std::vector<std::string>& variables) {
  for (const std::string& variable : variables) {
    const std::size_t equals = variable.find('=');
    if (equals != 0 && equals != std::string::npos && variable.find('\0') == std::string::npos)
      continue;
    Error error;
    error.code = ErrorCode::kInvalidArguments;
    error.op = "bash";
    error.component = variable;
    error.detail = "env must hold texts of the form NAME=value; this is none: " + Quoted(variable);
    return error;
  }
  return {};
}

// Waits as long as it takes; a stop ends the command.
void Follow(Context& context, guard::BackgroundCommand& command) {
  while (!command.WaitFor(kPatience, context.call.stop)) {
    if (context.call.stop.stop_requested()) command.Stop();
    if (context.progress) {
      const std::uint64_t done =
          command.output().out().From(UINT64_MAX).end + command.output().err().From(UINT64_MAX).end;
      context.progress({done, "bytes of output"});
    }
    if (context.call.stop.stop_requested()) {
      command.WaitFor(std::chrono::seconds(10), {});
      return;
    }
  }
}

Outcome RunBash(Context& context, const Arguments& arguments) {
  const std::string& line = arguments.Text("command");
  TRY(CheckVariables(arguments.Texts("env")));
  TRY_ASSIGN(std::unique_ptr<guard::CapturedOutput> output, guard::CapturedOutput::Open(kRoom, {}));
  const bool background = arguments.Says("background");
  guard::CommandTerms terms;
  terms.arguments = {std::string(kShell), "-c", line};
  terms.shown = line;
  terms.line = line;
  terms.preview = CommandPreview(line);
  terms.directory = arguments.Text("cwd");
  terms.environment = arguments.Texts("env");
  const std::int64_t usual = background ? 0 : kUsualTimeout;
  terms.wall = std::chrono::seconds(arguments.IntegerOr("timeout", usual));
  terms.streams = output->streams();
  TRY_ASSIGN(std::unique_ptr<guard::RunningCommand> running,
             context.guard.Run(context.call, terms));
  output->Attach();
  auto command =
      std::make_shared<guard::BackgroundCommand>(line, std::move(output), std::move(running));
  if (background) {
    TRY_ASSIGN(const std::string handle, context.guard.background().Add(command));
    return ReportCommand(*command, {}, handle);
  }
  Follow(context, *command);
  if (const auto ended = command->ended(); ended && !*ended) return (*ended).error();
  return ReportCommand(*command, {}, "");
}

}  // namespace

const Tool kBash{"bash",
                 "Run a command",
                 "Runs a command line in a sandbox around the workspace: files outside it, denied "
                 "names and the network are out of reach. Says what was refused and by which rule.",
                 policy::ToolKind::kShell,
                 Effect::kReplaces,
                 Repeat::kAgain,
                 kInput,
                 kCommandFields,
                 RunBash,
                 Needs::kCommands,
                 Lasts::kLong};

}  // namespace cordon::tools
