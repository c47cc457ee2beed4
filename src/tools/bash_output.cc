#include "base/printable.h"
#include "base/try.h"
#include "tools/all.h"
#include "tools/command_report.h"

namespace cordon::tools {
namespace {

constexpr std::string_view kHandleAliases[] = {"bash_id", "shell_id", "id"};
constexpr Field kHandle{"handle", FieldType::kText, Need::kRequired, "As bash gave it.", {}, {}, {},
                        {},       kHandleAliases};

constexpr Field kOutputInput[] = {
    kHandle,
    {"stdout_from",
     FieldType::kInteger,
     Need::kOptional,
     "Only what comes after this many bytes.",
     {},
     0},
    {"stderr_from", FieldType::kInteger, Need::kOptional, "The same for stderr.", {}, 0},
    {"wait",
     FieldType::kInteger,
     Need::kOptional,
     "Seconds to wait for its end; none if not given.",
     {},
     0,
     600},
};
constexpr Field kStopInput[] = {kHandle};

Result<std::shared_ptr<guard::BackgroundCommand>> FindCommand(guard::Guard& guard,
                                                              const std::string& handle) {
  if (auto found = guard.background().Find(handle)) return found;
  Error error;
  error.code = ErrorCode::kNotFound;
  error.op = "bash";
  error.component = handle;
  error.detail = "there is no command " + Quoted(handle) + "; those there are:";
  for (const std::string& known : guard.background().handles()) error.detail += " " + known;
  return error;
}

Outcome RunBashOutput(Context& context, const Arguments& arguments) {
  const std::string& handle = arguments.Text("handle");
  TRY_ASSIGN(const auto command, FindCommand(context.guard, handle));
  command->WaitFor(std::chrono::seconds(arguments.IntegerOr("wait", 0)), context.call.stop);
  OutputPosition position;
  position.out = static_cast<std::uint64_t>(arguments.IntegerOr("stdout_from", 0));
  position.err = static_cast<std::uint64_t>(arguments.IntegerOr("stderr_from", 0));
  return ReportCommand(*command, position, handle);
}

Outcome RunBashStop(Context& context, const Arguments& arguments) {
  const std::string& handle = arguments.Text("handle");
  TRY_ASSIGN(const auto command, FindCommand(context.guard, handle));
  command->Stop();
  command->WaitFor(std::chrono::seconds(10), context.call.stop);
  return ReportCommand(*command, {}, handle);
}

}  // namespace

const Tool kBashOutput{"bash_output",
                       "Output of a command",
                       "What a command in the background has printed, and how it ended.",
                       policy::ToolKind::kRead,
                       Effect::kNone,
                       Repeat::kSame,
                       kOutputInput,
                       kCommandFields,
                       RunBashOutput,
                       Needs::kCommands};

const Tool kBashStop{"bash_stop",
                     "Stop a command",
                     "Ends a command in the background with all its processes.",
                     policy::ToolKind::kShell,
                     Effect::kReplaces,
                     Repeat::kSame,
                     kStopInput,
                     kCommandFields,
                     RunBashStop,
                     Needs::kCommands};

}  // namespace cordon::tools
