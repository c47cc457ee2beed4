#include "tools/edit_plan.h"

#include <boost/json/array.hpp>
#include <string>
#include <utility>

#include "base/printable.h"
#include "base/try.h"
#include "tools/diff.h"
#include "tools/edited_text.h"
#include "tools/parents.h"
#include "tools/result_object.h"

namespace cordon::tools {
namespace {

namespace json = boost::json;

std::string Counted(std::size_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

std::size_t DiffContextOf(const Arguments& arguments) {
  return static_cast<std::size_t>(arguments.IntegerOr("diff_context", kDiffContext));
}

// "Edited "a.txt": 2 replacements (edit 2 matched but for indentation)."
std::string Sentence(std::string_view path, std::string_view verb, const EditedText& edited) {
  std::size_t replacements = 0;
  std::string loosely;
  for (std::size_t index = 0; index < edited.edits.size(); ++index) {
    const EditDone& done = edited.edits[index];
    replacements += done.replacements;
    if (done.pass == MatchPass::kExact) continue;
    loosely += loosely.empty() ? "" : "; ";
    if (edited.edits.size() > 1) loosely += "edit " + std::to_string(index + 1) + " ";
    loosely += "matched not exactly, but for " + std::string(MatchPassName(done.pass));
  }
  return std::string(verb) + " " + Quoted(path) + ": " + Counted(replacements, "replacement") +
         (loosely.empty() ? "." : " (" + loosely + ").") + "\n";
}

void AddEdits(json::object& data, const EditedText& edited) {
  json::array edits;
  std::size_t replacements = 0;
  for (const EditDone& done : edited.edits) {
    json::array lines;
    for (const LineRange& range : done.lines) {
      lines.push_back({{"first", range.first}, {"last", range.last}});
    }
    replacements += done.replacements;
    edits.push_back({{"matched", MatchPassName(done.pass)},
                     {"replacements", done.replacements},
                     {"lines", std::move(lines)}});
  }
  data["replacements"] = replacements;
  data["edits"] = std::move(edits);
}

}  // namespace

Outcome EditPath(Context& context, const Arguments& arguments, std::span<const TextEdit> edits) {
  const std::string& path = arguments.Text("path");
  TRY_ASSIGN(const std::optional<Digest> if_match, IfMatch(arguments));
  TRY_ASSIGN(const OpenedText opened, OpenText(context, path, if_match));
  TRY_ASSIGN(const EditedText edited, ApplyEdits(opened.text.text, edits, context.call.stop));
  const bool dry = arguments.Says("dry_run");
  TRY_ASSIGN(const StoredText stored,
             StoreText(context, opened, edited.text, dry ? Trial::kOnlyShow : Trial::kWrite,
                       DiffContextOf(arguments)));
  const std::string diff = ValidUtf8(stored.diff);
  Answer answer;
  AddPath(answer.data, "path", path);
  answer.data["written"] = !dry;
  answer.data["etag"] = EtagOf(stored.digest);
  answer.data["diff"] = diff;
  if (opened.text.form.has_mark) answer.data["byte_order_mark"] = true;
  AddEdits(answer.data, edited);
  answer.text = Sentence(path, dry ? "Would edit" : "Edited", edited) + diff;
  if (!dry) answer.changed.push_back(path);
  return answer;
}

Outcome CreatePath(Context& context, const Arguments& arguments, std::string_view content) {
  const std::string& path = arguments.Text("path");
  const std::string diff = UnifiedDiff("", content, "/dev/null", path);
  const bool dry = arguments.Says("dry_run");
  MadeParents parents(context);
  if (dry) {
    const auto there = context.guard.Stat(context.Looking(), path);
    if (!there && there.error().code != ErrorCode::kNotFound) return there.error();
    if (there) {
      Error error;
      error.code = ErrorCode::kAlreadyExists;
      error.op = "create";
      error.detail = "something is there already";
      return error;
    }
  } else {
    guard::WriteOptions options;
    options.existing = guard::WriteOptions::Existing::kRefuse;
    options.preview = diff;
    TRY(parents.Make(path));
    TRY(context.guard.Write(context.call, path, content, options));
  }
  Answer answer;
  AddPath(answer.data, "path", path);
  answer.data["written"] = !dry;
  answer.data["created"] = true;
  answer.data["etag"] = EtagOf(Sha256(content));
  answer.data["diff"] = ValidUtf8(diff);
  AddEdits(answer.data, {});
  answer.text = (dry ? "Would create " : "Created ") + Quoted(path) + ".\n" + ValidUtf8(diff);
  answer.changed = parents.made();
  if (!dry) answer.changed.push_back(path);
  parents.Keep();
  return answer;
}

}  // namespace cordon::tools
