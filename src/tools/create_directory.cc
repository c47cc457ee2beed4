#include "base/printable.h"
#include "base/try.h"
#include "tools/all.h"
#include "tools/parents.h"
#include "tools/result_object.h"

namespace cordon::tools {
namespace {

constexpr Field kInput[] = {kPathField};
constexpr Field kOutput[] = {
    {"path", FieldType::kPath, Need::kRequired, "As it was asked for."},
    {"created", FieldType::kFlag, Need::kRequired, "False: it was there already."},
};

Outcome RunCreateDirectory(Context& context, const Arguments& arguments) {
  const std::string& path = arguments.Text("path");
  MadeParents parents(context);
  TRY(parents.Make(path));
  const Status made = context.guard.Mkdir(context.call, path);
  const bool created = made.has_value();
  if (!made) {
    if (made.error().code != ErrorCode::kAlreadyExists) return made.error();
    const auto there = context.guard.Stat(context.call, path);
    if (!there && there.error().security_violation()) return there.error();
    if (!there || there->type != platform::FileType::kDirectory) return made.error();
  }
  Answer answer;
  AddPath(answer.data, "path", path);
  answer.data["created"] = created;
  answer.text = Printable(path) + (created ? " was made." : " is there already.");
  answer.changed = parents.made();
  if (created) answer.changed.push_back(path);
  parents.Keep();
  return answer;
}

}  // namespace

const Tool kCreateDirectory{
    "create_directory",
    "Create directory",
    "Makes a directory, and those above it that are missing. One that is there already is fine.",
    policy::ToolKind::kWrite,
    Effect::kAdds,
    Repeat::kSame,
    kInput,
    kOutput,
    RunCreateDirectory};

}  // namespace cordon::tools
