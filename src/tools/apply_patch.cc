// apply_patch: changes of several files, all or none.
#include <boost/json/array.hpp>

#include "base/printable.h"
#include "base/try.h"
#include "tools/all.h"
#include "tools/edit_fields.h"
#include "tools/flat_text.h"
#include "tools/loaded_file.h"
#include "tools/patch/codex_patch.h"
#include "tools/patch/unified_patch.h"
#include "tools/patch_changes.h"
#include "tools/patch_plan.h"
#include "tools/result_object.h"

namespace cordon::tools {
namespace {

namespace json = boost::json;
using Action = FilePatch::Action;

// Of all diffs together that an answer has.
constexpr std::size_t kMaxToldDiff = std::size_t{1} << 20;

constexpr std::string_view kPatchAliases[] = {"input", "diff"};
constexpr std::string_view kActions[] = {"add", "update", "delete", "move"};
constexpr Field kInput[] = {
    {.name = "patch",
     .type = FieldType::kText,
     .need = Need::kRequired,
     .description = "\"*** Begin Patch\" with \"*** Add File: \", \"*** Delete File: \", \"*** "
                    "Update File: \", \"*** Move to: \" and \"@@\" lines, then \"*** End Patch\"; "
                    "or a unified diff, as diff -u and git write it.",
     .aliases = kPatchAliases},
    kDryRunField,
};
constexpr Field kHunkFields[] = {
    {"line", FieldType::kInteger, Need::kRequired, "Where it was found in the old file, from 1."},
    {"offset", FieldType::kInteger, Need::kRequired, "How far from where the patch had it."},
    {.name = "matched",
     .type = FieldType::kText,
     .need = Need::kRequired,
     .description = "Exactly, or as what but for what.",
     .choices = kPassNames},
};
constexpr Field kFileFields[] = {
    {"path", FieldType::kPath, Need::kRequired, "As the patch names it."},
    {.name = "action",
     .type = FieldType::kText,
     .need = Need::kRequired,
     .description = "What was done; a move may change the content, too.",
     .choices = kActions},
    {"moved_to", FieldType::kPath, Need::kOptional, "Its new path."},
    {"etag", FieldType::kText, Need::kOptional, "SHA-256 of the new content, for if_match."},
    {"diff", FieldType::kText, Need::kOptional, "Unified; left out where it would be too much."},
    {.name = "hunks",
     .type = FieldType::kObjectList,
     .need = Need::kRequired,
     .description = "One for each hunk, in order.",
     .fields = kHunkFields},
};
constexpr Field kOutput[] = {
    {"written", FieldType::kFlag, Need::kRequired, "False after a dry run."},
    {.name = "files",
     .type = FieldType::kObjectList,
     .need = Need::kRequired,
     .description = "One for each file, in the order of the patch.",
     .fields = kFileFields},
};

std::string_view ActionName(const PlannedFile& file) {
  if (file.action == Action::kAdd) return "add";
  if (file.action == Action::kDelete) return "delete";
  return file.move_to ? "move" : "update";
}

json::object FileObject(const PlannedFile& file) {
  json::object object;
  AddPath(object, "path", file.path);
  object["action"] = ActionName(file);
  if (file.move_to) AddPath(object, "moved_to", *file.move_to);
  if (file.action != Action::kDelete) object["etag"] = EtagOf(file.new_digest);
  json::array hunks;
  for (const HunkDone& hunk : file.hunks) {
    hunks.push_back(
        {{"line", hunk.line}, {"offset", hunk.offset}, {"matched", MatchPassName(hunk.pass)}});
  }
  object["hunks"] = std::move(hunks);
  return object;
}

std::string Sentence(const PlannedFile& file) {
  std::string text = std::string(ActionName(file)) + " " + Quoted(file.path);
  if (file.move_to) text += " to " + Quoted(*file.move_to);
  for (const HunkDone& hunk : file.hunks) {
    if (hunk.pass == MatchPass::kExact && hunk.offset == 0) continue;
    text += "; the hunk at line " + std::to_string(hunk.line);
    if (hunk.offset != 0)
      text += " was said to be at line " +
              std::to_string(static_cast<std::ptrdiff_t>(hunk.line) - hunk.offset);
    if (hunk.pass != MatchPass::kExact) {
      text += std::string(hunk.offset != 0 ? " and" : "") + " matched not exactly, but for " +
              std::string(MatchPassName(hunk.pass));
    }
  }
  return text + "\n";
}

Answer Tell(const std::vector<PlannedFile>& files, bool written) {
  Answer answer;
  json::array told;
  std::string diffs;
  bool all = true;
  answer.text = std::string(written ? "Applied" : "Would apply") + " the patch to " +
                std::to_string(files.size()) + (files.size() == 1 ? " file" : " files") + ":\n";
  for (const PlannedFile& file : files) {
    json::object object = FileObject(file);
    answer.text += Sentence(file);
    if (diffs.size() + file.diff.size() <= kMaxToldDiff) {
      diffs += ValidUtf8(file.diff);
      object["diff"] = ValidUtf8(file.diff);
    } else {
      all = false;
    }
    told.push_back(std::move(object));
    if (!written) continue;
    answer.changed.push_back(file.path);
    if (file.move_to) answer.changed.push_back(*file.move_to);
  }
  answer.text += diffs;
  if (!all) answer.text += "Some diffs are left out: they are too long. Read the files.\n";
  answer.data["written"] = written;
  answer.data["files"] = std::move(told);
  return answer;
}

Outcome Apply(Context& context, const Arguments& arguments) {
  const std::string& given = arguments.Text("patch");
  if (given.size() > kMaxPatchBytes) {
    Error error = PatchError(
        1, "the patch has more than " + std::to_string(kMaxPatchBytes) + " bytes; split it");
    error.code = ErrorCode::kTooLarge;
    return error;
  }
  const FlatText text(WithoutWrapping(given));
  TRY_ASSIGN(const Patch patch,
             IsCodexPatch(text.text()) ? ParseCodexPatch(text.text()) : ParseUnifiedPatch(text));
  TRY_ASSIGN(const std::vector<PlannedFile> files, PlanPatch(context, patch));
  if (arguments.Says("dry_run")) return Tell(files, false);
  TRY_ASSIGN(const std::vector<std::string> directories, MakeChanges(context, files));
  Answer answer = Tell(files, true);
  answer.changed.insert(answer.changed.begin(), directories.begin(), directories.end());
  return answer;
}

}  // namespace

const Tool kApplyPatch{
    .name = "apply_patch",
    .title = "Apply a patch",
    .description =
        "Adds, changes, moves and deletes text files as a patch says, all of it or nothing. Takes "
        "the \"*** Begin Patch\" format and unified diffs. Lines of context must be unique; where "
        "they are not exactly as in the file, they are looked for with other white space, "
        "quotes and dashes, and the answer says so. A file may be named once; nothing that "
        "exists is overwritten by an added or moved file.",
    .kind = policy::ToolKind::kWrite,
    .effect = Effect::kReplaces,
    .repeat = Repeat::kAgain,
    .input = kInput,
    .output = kOutput,
    .run = Apply,
};

}  // namespace cordon::tools
