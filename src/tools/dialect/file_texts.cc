#include <boost/json/array.hpp>
#include <string>

#include "base/printable.h"
#include "tools/dialect/agent_texts.h"
#include "tools/dialect/data_fields.h"
#include "tools/dialect/hunks.h"
#include "tools/dialect/words.h"

namespace cordon::tools::dialect {
namespace {

namespace json = boost::json;

// For the words: where to go on.
json::object WithNext(const json::object& data) {
  json::object more = data;
  more["next_line"] = NumberIn(data, "end_line") + 1;
  return more;
}

bool IsText(const Answer& ours) { return ours.data.contains("total_lines"); }

}  // namespace

std::string ContentUnder(const Answer& ours, const Scene& scene) {
  const json::object& data = ours.data;
  if (!IsText(ours)) return ours.text;
  const bool all = NumberIn(data, "start_line") <= 1 &&
                   NumberIn(data, "end_line") >= NumberIn(data, "total_lines");
  const std::string content(TextIn(data, "content"));
  return all ? content : Fill(scene.words, WithNext(data), scene.given) + content;
}

std::string AlwaysUnder(const Answer& ours, const Scene& scene) {
  if (!IsText(ours)) return ours.text;
  return Fill(scene.words, WithNext(ours.data), scene.given) +
         std::string(TextIn(ours.data, "content"));
}

std::string SnippetUnder(const Answer& ours, const Scene& scene) {
  return Fill(scene.words, ours.data, scene.given) + NumberedSnippet(TextIn(ours.data, "diff"));
}

std::string GeminiWrote(const Answer& ours, const Scene& scene) {
  return Fill(FlagIn(ours.data, "created") ? "Successfully created and wrote to new file: {path}."
                                           : "Successfully overwrote file: {path}.",
              ours.data, scene.given);
}

std::string GeminiReplaced(const Answer& ours, const Scene& scene) {
  return Fill(FlagIn(ours.data, "created")
                  ? "Created new file: {path} with provided content."
                  : "Successfully modified file: {path} ({replacements} replacements).\n{diff}",
              ours.data, scene.given);
}

std::string ClaudeWrote(const Answer& ours, const Scene& scene) {
  return Fill(FlagIn(ours.data, "created") ? "File created successfully at: {path}"
                                           : "The file {path} has been updated successfully.",
              ours.data, scene.given);
}

json::object ClaudeReadData(const Answer& ours, const Scene&, std::string_view text) {
  const json::object& data = ours.data;
  const std::int64_t first = NumberIn(data, "start_line");
  json::object told{{"filePath", TextIn(data, "path")},
                    {"content", text},
                    {"truncated", FlagIn(data, "truncated")}};
  if (!IsText(ours)) return told;
  told["startLine"] = first;
  told["numLines"] = NumberIn(data, "end_line") - first + 1;
  told["totalLines"] = NumberIn(data, "total_lines");
  return told;
}

json::object ClaudeEditData(const Answer& ours, const Scene&, std::string_view) {
  json::array patch;
  const std::string diff(TextIn(ours.data, "diff"));
  for (const Hunk& hunk : HunksOf(diff)) {
    json::array lines;
    for (const std::string_view line : hunk.lines) lines.emplace_back(line);
    patch.push_back({{"oldStart", hunk.old_first},
                     {"oldLines", hunk.old_count},
                     {"newStart", hunk.new_first},
                     {"newLines", hunk.new_count},
                     {"lines", std::move(lines)}});
  }
  return {{"filePath", TextIn(ours.data, "path")},
          {"replacements", NumberIn(ours.data, "replacements")},
          {"structuredPatch", std::move(patch)}};
}

}  // namespace cordon::tools::dialect
