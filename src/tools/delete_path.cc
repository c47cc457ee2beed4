#include "base/printable.h"
#include "base/try.h"
#include "tools/all.h"
#include "tools/result_object.h"

namespace cordon::tools {
namespace {

constexpr Field kInput[] = {
    kPathField,
    {"recursive", FieldType::kFlag, Need::kOptional,
     "Also a directory that is not empty, with everything below."},
};
constexpr Field kOutput[] = {
    {"path", FieldType::kPath, Need::kRequired, "As it was asked for."},
};

Outcome RunDeletePath(Context& context, const Arguments& arguments) {
  const std::string& path = arguments.Text("path");
  if (arguments.Says("recursive")) {
    TRY(context.guard.RemoveAll(context.call, path));
  } else {
    TRY(context.guard.Remove(context.call, path));
  }
  Answer answer;
  AddPath(answer.data, "path", path);
  answer.text = Printable(path) + " was deleted.";
  answer.changed.push_back(path);
  return answer;
}

}  // namespace

const Tool kDeletePath{
    "delete_path",
    "Delete",
    "Deletes a file, a link itself (never what it leads to) or an empty directory; with "
    "recursive, everything below a directory. Nothing is deleted if anything below is off limits.",
    policy::ToolKind::kDelete,
    Effect::kReplaces,
    Repeat::kAgain,
    kInput,
    kOutput,
    RunDeletePath};

}  // namespace cordon::tools
