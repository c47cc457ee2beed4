#include "undo/history.h"

#include <boost/json/array.hpp>

#include "base/reversed.h"
#include "base/try.h"
#include "tools/all.h"
#include "tools/undo_report.h"
#include "undo/journal.h"

namespace cordon::tools {
namespace {

constexpr std::int64_t kUsualLimit = 50;

constexpr Field kInput[] = {
    {"limit",
     FieldType::kInteger,
     Need::kOptional,
     "How many, newest first; 50 if not given.",
     {},
     1,
     10'000},
    {"session", FieldType::kText, Need::kOptional, "Only what that session did."},
};
constexpr Field kOutput[] = {
    {"operations",
     FieldType::kObjectList,
     Need::kRequired,
     "Newest first.",
     {},
     {},
     {},
     kOperationFields},
    {"damaged", FieldType::kInteger, Need::kRequired, "Lines of the journal that cannot be read."},
};

// What failed before it had an effect is nothing that happened.
bool Happened(const undo::Operation& operation) {
  for (const undo::Change& change : operation.changes) {
    if (change.ending != undo::Change::Ending::kFailed) return true;
  }
  return operation.undoes != 0;
}

Outcome RunHistory(Context& context, const Arguments& arguments) {
  undo::Journal* const journal = context.guard.journal();
  if (journal == nullptr) {
    Error error;
    error.code = ErrorCode::kUnsupported;
    error.op = "history";
    error.rule = "undo";
    error.detail = "there is no undo journal: it is switched off";
    return error;
  }
  TRY_ASSIGN(const undo::History history, journal->Read());
  const std::string& workspace = context.guard.boundary().workspace().real_path();
  const auto limit = static_cast<std::size_t>(arguments.IntegerOr("limit", kUsualLimit));
  boost::json::array list;
  Answer answer;
  for (const undo::Operation& operation : Reversed(history.operations)) {
    if (list.size() >= limit) break;
    if (operation.origin.workspace != workspace || !Happened(operation)) continue;
    if (arguments.Has("session") && operation.origin.session != arguments.Text("session")) continue;
    list.emplace_back(OperationObject(context.guard, operation));
    answer.text += OperationLine(context.guard, operation) + "\n";
  }
  if (list.empty()) answer.text = "Nothing was changed here through these tools.\n";
  if (history.damaged > 0) {
    answer.text += std::to_string(history.damaged) + " lines of the journal cannot be read.\n";
  }
  answer.text.pop_back();
  answer.data["operations"] = std::move(list);
  answer.data["damaged"] = history.damaged;
  return answer;
}

}  // namespace

const Tool kHistory{"history",
                    "History",
                    "Lists the changes that were made in this project through these tools, newest "
                    "first, with the numbers that undo takes.",
                    policy::ToolKind::kRead,
                    Effect::kNone,
                    Repeat::kSame,
                    kInput,
                    kOutput,
                    RunHistory};

}  // namespace cordon::tools
