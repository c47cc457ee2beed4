#include "base/printable.h"
#include "base/try.h"
#include "tools/all.h"
#include "tools/parents.h"
#include "tools/result_object.h"

namespace cordon::tools {
namespace {

constexpr Field kInput[] = {
    kPathField,
    {"content", FieldType::kText, Need::kRequired, "What to add, as it is."},
    {"create_parents", FieldType::kFlag, Need::kOptional, "Make missing directories; the default."},
};
constexpr Field kOutput[] = {
    {"path", FieldType::kPath, Need::kRequired, "As it was asked for."},
    {"bytes", FieldType::kInteger, Need::kRequired, "Added."},
};

Outcome RunAppendFile(Context& context, const Arguments& arguments) {
  const std::string& path = arguments.Text("path");
  const std::string& content = arguments.Text("content");
  MadeParents parents(context);
  Status done = context.guard.Append(context.call, path, content);
  if (!done && done.error().code == ErrorCode::kNotFound && !arguments.Denies("create_parents")) {
    TRY(parents.Make(path));
    done = context.guard.Append(context.call, path, content);
  }
  TRY(std::move(done));
  Answer answer;
  AddPath(answer.data, "path", path);
  answer.data["bytes"] = content.size();
  answer.text = "Added " + std::to_string(content.size()) + " bytes to " + Printable(path) + ".";
  answer.changed = parents.made();
  answer.changed.push_back(path);
  parents.Keep();
  return answer;
}

}  // namespace

const Tool kAppendFile{
    "append_file",
    "Append to file",
    "Adds text to the end of a file, which is made if it is missing. No newline is added.",
    policy::ToolKind::kWrite,
    Effect::kAdds,
    Repeat::kAgain,
    kInput,
    kOutput,
    RunAppendFile};

}  // namespace cordon::tools
