#include "tools/command_report.h"

#include <boost/json/array.hpp>

#include "base/printable.h"
#include "tools/result_object.h"

namespace cordon::tools {
namespace {

constexpr Field kRefusedFields[] = {
    {"operation", FieldType::kText, Need::kRequired, "read, write, create, ..."},
    {"path", FieldType::kText, Need::kRequired, "What was reached for."},
    {"rule", FieldType::kText, Need::kRequired, "Which rule refused it."},
    {"program", FieldType::kText, Need::kRequired, "The program that tried it."},
};

constexpr Field kFields[] = {
    {"stdout", FieldType::kText, Need::kRequired,
     "What it printed; the middle of much is left out."},
    {"stderr", FieldType::kText, Need::kRequired, "The same of its error output."},
    {"missing_bytes", FieldType::kInteger, Need::kRequired, "How much of both is left out."},
    {"running", FieldType::kFlag, Need::kRequired, "Whether it still runs."},
    {"handle", FieldType::kText, Need::kOptional, "For bash_output and bash_stop."},
    {"stdout_end", FieldType::kInteger, Need::kRequired,
     "Where stdout ends by now; for bash_output."},
    {"stderr_end", FieldType::kInteger, Need::kRequired, "Where stderr ends by now."},
    {"exit_status", FieldType::kInteger, Need::kOptional, "Once it has ended by itself."},
    {"signal", FieldType::kInteger, Need::kOptional, "The signal that ended it."},
    {"duration_ms", FieldType::kInteger, Need::kRequired, "How long it has run."},
    {"limits", FieldType::kTextList, Need::kRequired, "Limits that were hit."},
    {"refused",
     FieldType::kObjectList,
     Need::kRequired,
     "What it was not allowed.",
     {},
     {},
     {},
     kRefusedFields},
};

void AddStream(std::string& text, std::string_view label, const std::string& stream) {
  if (stream.empty()) return;
  if (!label.empty()) text += std::string(label) + "\n";
  text += stream;
  if (!stream.ends_with('\n')) text += '\n';
}

void AddRefusals(Answer& answer, const guard::CommandOutcome& outcome) {
  boost::json::array refused;
  for (const sandbox::Refused& one : outcome.refused) {
    refused.push_back(boost::json::object{{"operation", OperationName(one.operation)},
                                          {"path", Printable(one.path)},
                                          {"rule", Printable(one.rule)},
                                          {"program", Printable(one.program)}});
    answer.text += "refused: " + std::string(OperationName(one.operation)) + " of " +
                   Quoted(one.path) + ", rule " + Printable(one.rule) + "\n";
  }
  for (const guard::Connection& one : outcome.connections) {
    const std::string target = one.host + ":" + std::to_string(one.port);
    refused.push_back(boost::json::object{{"operation", "connect"},
                                          {"path", Printable(target)},
                                          {"rule", Printable(one.rule)},
                                          {"program", ""}});
    answer.text +=
        "refused: connection to " + Quoted(target) + ", rule " + Printable(one.rule) + "\n";
  }
  if (!refused.empty()) {
    answer.text +=
        "This is the boundary of the workspace, not a fault to work around: use what is "
        "inside it, or tell the user what you need and why.\n";
  }
  answer.data["refused"] = std::move(refused);
}

void AddEnd(Answer& answer, const guard::CommandOutcome& outcome) {
  boost::json::array limits;
  for (const sandbox::LimitKind kind : outcome.limits) {
    limits.emplace_back(sandbox::LimitName(kind));
    answer.text += "ended by the limit on " + std::string(sandbox::LimitName(kind)) + "\n";
  }
  answer.data["limits"] = std::move(limits);
  if (outcome.ended.signal != 0) {
    answer.data["signal"] = outcome.ended.signal;
    answer.text += "ended by signal " + std::to_string(outcome.ended.signal) + "\n";
  } else {
    answer.data["exit_status"] = outcome.ended.status;
    answer.text += "exit status " + std::to_string(outcome.ended.status) + "\n";
  }
  AddRefusals(answer, outcome);
}

}  // namespace

const Fields kCommandFields = kFields;

Answer ReportCommand(const guard::BackgroundCommand& command, OutputPosition position,
                     std::string_view handle) {
  // Asked first: whatever it printed before it ended is then told.
  const auto ended = command.ended();
  const guard::CapturedStream::Part out = command.output().out().From(position.out);
  const guard::CapturedStream::Part err = command.output().err().From(position.err);
  Answer answer;
  answer.data["stdout"] = ValidUtf8(out.text);
  answer.data["stderr"] = ValidUtf8(err.text);
  answer.data["missing_bytes"] = out.missing + err.missing;
  answer.data["running"] = !ended;
  if (!handle.empty()) answer.data["handle"] = handle;
  answer.data["stdout_end"] = out.end;
  answer.data["stderr_end"] = err.end;
  answer.data["duration_ms"] = command.duration().count();
  AddStream(answer.text, "", ValidUtf8(out.text));
  AddStream(answer.text, "[stderr]", ValidUtf8(err.text));
  if (ended && *ended) {
    AddEnd(answer, **ended);
    return answer;
  }
  answer.data["limits"] = boost::json::array();
  answer.data["refused"] = boost::json::array();
  if (ended) {
    answer.text += "ended without a word: " + (*ended).error().detail + "\n";
  } else if (!handle.empty()) {
    answer.text += "still running as " + std::string(handle) + "\n";
  }
  return answer;
}

}  // namespace cordon::tools
