#include <boost/json/array.hpp>

#include "base/try.h"
#include "tools/all.h"
#include "tools/path_text.h"
#include "tools/undo_engine.h"
#include "tools/undo_report.h"

namespace cordon::tools {
namespace {

constexpr Field kInput[] = {
    {"steps",
     FieldType::kInteger,
     Need::kOptional,
     "How many of the last operations; 1 if nothing else is given.",
     {},
     1,
     10'000},
    {"operation",
     FieldType::kInteger,
     Need::kOptional,
     "That one, by its number in history.",
     {},
     1},
    {"session", FieldType::kText, Need::kOptional, "Everything that session did."},
    {"path", FieldType::kPath, Need::kOptional,
     "Only what was done to this file, by its own name: the last operation, or the last steps."},
    {"dry_run", FieldType::kFlag, Need::kOptional, "Only tell what would be undone."},
};
constexpr Field kOutput[] = {
    {"undone",
     FieldType::kObjectList,
     Need::kRequired,
     "Newest first.",
     {},
     {},
     {},
     kOperationFields},
    {"dry_run", FieldType::kFlag, Need::kRequired, "Whether nothing was changed."},
};

Error Unfit(std::string_view detail) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "undo";
  error.detail = detail;
  return error;
}

Result<UndoRequest> ReadRequest(const guard::Boundary& boundary, const Arguments& arguments) {
  UndoRequest request;
  if (arguments.Has("steps")) request.steps = arguments.IntegerOr("steps", 1);
  if (arguments.Has("operation")) request.operation = arguments.IntegerOr("operation", 1);
  if (arguments.Has("session")) request.session = arguments.Text("session");
  const int given =
      (request.steps ? 1 : 0) + (request.operation ? 1 : 0) + (request.session ? 1 : 0);
  if (given > 1) {
    return Unfit("only one of steps, operation and session can be given");
  }
  if (arguments.Has("path")) {
    if (request.operation || request.session) {
      return Unfit("\"path\" goes with steps only");
    }
    request.path = AbsoluteText(boundary, arguments.Text("path"));
  }
  if (given == 0) request.steps = 1;
  if (arguments.Says("dry_run")) request.mode = UndoRequest::Mode::kOnlyTell;
  return request;
}

Outcome RunUndo(Context& context, const Arguments& arguments) {
  TRY_ASSIGN(const UndoRequest request, ReadRequest(context.guard.boundary(), arguments));
  TRY_ASSIGN(const std::vector<undo::Operation> undone, Undo(context.guard, context.call, request));
  const bool only_told = request.mode == UndoRequest::Mode::kOnlyTell;
  Answer answer;
  boost::json::array list;
  answer.text = only_told ? "This would be undone:" : "Undone:";
  for (const undo::Operation& operation : undone) {
    list.emplace_back(OperationObject(context.guard, operation));
    answer.text += "\n" + OperationLine(context.guard, operation);
    for (const undo::Change& change : operation.changes) {
      if (only_told) continue;
      answer.changed.push_back(ShownPath(context.guard, change.path));
      if (!change.to.empty()) answer.changed.push_back(ShownPath(context.guard, change.to));
    }
  }
  answer.data["undone"] = std::move(list);
  answer.data["dry_run"] = only_told;
  return answer;
}

}  // namespace

const Tool kUndo{"undo",
                 "Undo",
                 "Takes back changes that were made through these tools: the last ones, a certain "
                 "one, or all of a session. Changes nothing, and shows the difference, where "
                 "somebody else changed a file since.",
                 policy::ToolKind::kWrite,
                 Effect::kReplaces,
                 Repeat::kAgain,
                 kInput,
                 kOutput,
                 RunUndo};

}  // namespace cordon::tools
