#include "base/printable.h"
#include "base/try.h"
#include "tools/all.h"
#include "tools/parents.h"
#include "tools/path_text.h"
#include "tools/result_object.h"
#include "tools/targets.h"

namespace cordon::tools {
namespace {

constexpr Field kInput[] = {
    kSourceField,
    kDestinationField,
    {"overwrite", FieldType::kFlag, Need::kOptional, "Whether a file may be replaced."},
    {"create_parents", FieldType::kFlag, Need::kOptional, "Make missing directories; the default."},
};
constexpr Field kOutput[] = {
    {"source", FieldType::kPath, Need::kRequired, "As it was asked for."},
    {"destination", FieldType::kPath, Need::kRequired, "As it was asked for."},
};

Outcome RunMovePath(Context& context, const Arguments& arguments) {
  const std::string& source = arguments.Text("source");
  const std::string& destination = arguments.Text("destination");
  MadeParents parents(context);
  if (!arguments.Denies("create_parents")) {
    if (Status made = parents.Make(destination); !made) return At(made.error(), destination);
  }
  guard::RenameOptions options;
  if (!arguments.Says("overwrite")) options.existing = guard::RenameOptions::Existing::kRefuse;
  if (Status moved = context.guard.Rename(context.call, source, destination, options); !moved) {
    const bool at_destination = moved.error().code == ErrorCode::kAlreadyExists ||
                                (moved.error().code == ErrorCode::kPathOutsideProject &&
                                 LeadsOut(context.guard.boundary(), destination));
    return At(std::move(moved.error()), at_destination ? destination : source);
  }
  Answer answer;
  AddPath(answer.data, "source", source);
  AddPath(answer.data, "destination", destination);
  answer.text = Printable(source) + " is now " + Printable(destination) + ".";
  answer.changed = parents.made();
  answer.changed.push_back(source);
  answer.changed.push_back(destination);
  parents.Keep();
  return answer;
}

}  // namespace

const Tool kMovePath{
    "move_path",
    "Move or rename",
    "Moves or renames a file, a directory or a link itself. Nothing that is there is replaced "
    "unless overwrite says so.",
    policy::ToolKind::kWrite,
    Effect::kReplaces,
    Repeat::kAgain,
    kInput,
    kOutput,
    RunMovePath};

}  // namespace cordon::tools
