#include "base/printable.h"
#include "base/try.h"
#include "tools/all.h"
#include "tools/copying.h"
#include "tools/parents.h"
#include "tools/result_object.h"
#include "tools/targets.h"

namespace cordon::tools {
namespace {

constexpr Field kInput[] = {
    kSourceField,
    kDestinationField,
    {"recursive", FieldType::kFlag, Need::kOptional, "Also a directory, with everything below."},
    {"overwrite", FieldType::kFlag, Need::kOptional, "Whether a file may be replaced."},
    {"create_parents", FieldType::kFlag, Need::kOptional, "Make missing directories; the default."},
};
constexpr Field kOutput[] = {
    {"source", FieldType::kPath, Need::kRequired, "As it was asked for."},
    {"destination", FieldType::kPath, Need::kRequired, "As it was asked for."},
    {"files", FieldType::kInteger, Need::kRequired, "Copied."},
    {"bytes", FieldType::kInteger, Need::kRequired, "Copied."},
};

Outcome RunCopyPath(Context& context, const Arguments& arguments) {
  const std::string& source = arguments.Text("source");
  const std::string& destination = arguments.Text("destination");
  MadeParents parents(context);
  if (!arguments.Denies("create_parents")) TRY(parents.Make(destination));
  CopyOptions options;
  if (arguments.Says("overwrite")) options.existing = guard::WriteOptions::Existing::kReplace;
  if (arguments.Says("recursive")) options.depth = CopyOptions::Depth::kAll;
  TRY_ASSIGN(const Copied copied, Copy(context, source, destination, options));
  Answer answer;
  AddPath(answer.data, "source", source);
  AddPath(answer.data, "destination", destination);
  answer.data["files"] = copied.files;
  answer.data["bytes"] = copied.bytes;
  answer.text = "Copied " + Printable(source) + " to " + Printable(destination) + ": " +
                std::to_string(copied.files) + (copied.files == 1 ? " file, " : " files, ") +
                std::to_string(copied.bytes) + " bytes.";
  answer.changed = parents.made();
  answer.changed.push_back(destination);
  parents.Keep();
  return answer;
}

}  // namespace

const Tool kCopyPath{
    "copy_path",
    "Copy",
    "Copies a file with its permissions, or with recursive a directory: all of it or nothing. "
    "Links inside it are copied as links.",
    policy::ToolKind::kWrite,
    Effect::kReplaces,
    Repeat::kSame,
    kInput,
    kOutput,
    RunCopyPath};

}  // namespace cordon::tools
