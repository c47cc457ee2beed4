#include "base/printable.h"
#include "base/try.h"
#include "tools/all.h"
#include "tools/facts.h"
#include "tools/result_object.h"

namespace cordon::tools {
namespace {

constexpr Field kInput[] = {
    kPathField,
    {"follow", FieldType::kFlag, Need::kOptional, "Of a link: tell of what it leads to."},
};

Outcome RunFileInfo(Context& context, const Arguments& arguments) {
  const std::string& path = arguments.Text("path");
  using confine::FinalSymlink;
  const FinalSymlink final =
      arguments.Says("follow") ? FinalSymlink::kFollow : FinalSymlink::kNoFollow;
  TRY_ASSIGN(const platform::FileStat stat, context.guard.Stat(context.call, path, final));
  Answer answer;
  AddPath(answer.data, "path", path);
  AddFacts(answer.data, stat);
  answer.text = Printable(path) + ": " + TellFacts(stat);
  if (stat.type == platform::FileType::kSymlink) {
    const auto text = context.guard.ReadLink(context.call, path);
    if (text) {
      AddPath(answer.data, "link_text", *text);
      answer.text += ", leads to " + Printable(*text);
    } else {
      answer.text += ", leads outside the project or nowhere";
    }
  }
  return answer;
}

}  // namespace

const Tool kFileInfo{
    "file_info",
    "File information",
    "Tells what is at a path: kind, size, permissions, times. A link is only followed if "
    "follow says so.",
    policy::ToolKind::kRead,
    Effect::kNone,
    Repeat::kSame,
    kInput,
    kInfoFields,
    RunFileInfo};

}  // namespace cordon::tools
