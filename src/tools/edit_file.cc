// edit_file: replaces quoted pieces of a file, all or none.
#include <vector>

#include "tools/all.h"
#include "tools/edit_fields.h"
#include "tools/edit_plan.h"

namespace cordon::tools {
namespace {

constexpr std::int64_t kMaxEdits = 256;

constexpr std::string_view kAllAliases[] = {"replaceAll"};
constexpr Field kEditFields[] = {
    {.name = "old",
     .type = FieldType::kText,
     .need = Need::kRequired,
     .description = "The text to replace, quoted from the file. Must be there exactly once.",
     .aliases = kOldAliases},
    {.name = "new",
     .type = FieldType::kText,
     .need = Need::kRequired,
     .description = "What takes its place; empty removes it.",
     .aliases = kNewAliases},
    {.name = "replace_all",
     .type = FieldType::kFlag,
     .description = "Replace it wherever it is.",
     .aliases = kAllAliases},
    kRegexField,
};
constexpr Field kInput[] = {
    kPathField,
    {.name = "edits",
     .type = FieldType::kObjectList,
     .need = Need::kRequired,
     .description = "Made in order, each in what the one before has left; all of them or none.",
     .most = kMaxEdits,
     .fields = kEditFields},
    kIfMatchField,
    kDryRunField,
    kDiffContextField,
};

Outcome Edit(Context& context, const Arguments& arguments) {
  std::vector<TextEdit> edits;
  for (const Arguments& one : arguments.Objects("edits")) {
    TextEdit edit;
    edit.old_text = one.Text("old");
    edit.new_text = one.Text("new");
    if (one.Says("regex")) edit.form = TextEdit::Form::kRegex;
    if (one.Says("replace_all")) edit.expected.reset();
    edits.push_back(edit);
  }
  if (edits.empty()) {
    Error error;
    error.code = ErrorCode::kInvalidArguments;
    error.op = "edit_file";
    error.component = "edits";
    error.detail = "\"edits\" must have at least one edit";
    return error;
  }
  return EditPath(context, arguments, edits);
}

}  // namespace

const Tool kEditFile{
    .name = "edit_file",
    .title = "Edit a file",
    .description =
        "Replaces pieces of a text file. Each old text must be in the file exactly once, unless "
        "replace_all is set; if it is not there as quoted, it is looked for with other white space "
        "and then with other quotes and dashes, and the answer says so. Either all edits are made "
        "or none. Line ends, byte order mark, mode and attributes of the file stay. Answers with "
        "a diff and the new etag.",
    .kind = policy::ToolKind::kWrite,
    .effect = Effect::kReplaces,
    .repeat = Repeat::kAgain,
    .input = kInput,
    .output = kEditOutput,
    .run = Edit,
};

}  // namespace cordon::tools
