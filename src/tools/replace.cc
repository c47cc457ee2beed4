// replace: one quoted text of a file, at as many places as are expected.
#include "tools/all.h"
#include "tools/edit_fields.h"
#include "tools/edit_plan.h"

namespace cordon::tools {
namespace {

constexpr std::string_view kOldStringAliases[] = {"old", "old_text", "old_str", "oldText",
                                                  "search"};
constexpr std::string_view kNewStringAliases[] = {"new", "new_text", "new_str", "newText"};
constexpr std::string_view kAllAliases[] = {"replaceAll", "allow_multiple"};
constexpr Field kInput[] = {
    kPathField,
    {.name = "old_string",
     .type = FieldType::kText,
     .need = Need::kRequired,
     .description = "The text to replace, quoted from the file. Empty: make a new file.",
     .aliases = kOldStringAliases},
    {.name = "new_string",
     .type = FieldType::kText,
     .need = Need::kRequired,
     .description = "What takes its place; empty removes it.",
     .aliases = kNewStringAliases},
    {.name = "expected_replacements",
     .type = FieldType::kInteger,
     .description = "At how many places it must be; 1 if not given.",
     .least = 1,
     .most = 1'000'000},
    {.name = "replace_all",
     .type = FieldType::kFlag,
     .description = "Replace it wherever it is, instead of a number of times.",
     .aliases = kAllAliases},
    kRegexField,
    kIfMatchField,
    kDryRunField,
    kDiffContextField,
};

Outcome Replace(Context& context, const Arguments& arguments) {
  TextEdit edit;
  edit.old_text = arguments.Text("old_string");
  edit.new_text = arguments.Text("new_string");
  if (edit.old_text.empty()) return CreatePath(context, arguments, edit.new_text);
  if (arguments.Says("regex")) edit.form = TextEdit::Form::kRegex;
  edit.expected = static_cast<std::size_t>(arguments.IntegerOr("expected_replacements", 1));
  if (arguments.Says("replace_all")) edit.expected.reset();
  return EditPath(context, arguments, {&edit, 1});
}

}  // namespace

const Tool kReplace{
    .name = "replace",
    .title = "Replace text in a file",
    .description =
        "Replaces a text of a file by another. It must be there exactly once, or as often as "
        "expected_replacements says; if it is not there as quoted, it is looked for with other "
        "white space and then with other quotes and dashes, and the answer says so. With an empty "
        "old_string the file is made, if it does not exist. Line ends, byte order mark, mode and "
        "attributes of the file stay. Answers with a diff and the new etag.",
    .kind = policy::ToolKind::kWrite,
    .effect = Effect::kReplaces,
    .repeat = Repeat::kAgain,
    .input = kInput,
    .output = kEditOutput,
    .run = Replace,
};

}  // namespace cordon::tools
