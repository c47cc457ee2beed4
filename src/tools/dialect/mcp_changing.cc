#include <string>

#include "tools/dialect/data_fields.h"
#include "tools/dialect/hunks.h"
#include "tools/dialect/js_text.h"
#include "tools/dialect/mcp_texts.h"
#include "tools/path_text.h"
#include "tools/result_object.h"

namespace cordon::tools::dialect {
namespace {

// "@@ -1,2 +1,1 @@", the counts always told.
std::string HeaderOf(const Hunk& hunk) {
  return "@@ -" + std::to_string(hunk.old_first) + "," + std::to_string(hunk.old_count) + " +" +
         std::to_string(hunk.new_first) + "," + std::to_string(hunk.new_count) + " @@\n";
}

// Backticks enough that nothing in the text ends them.
std::string FenceFor(std::string_view text) {
  std::string fence = "```";
  while (text.find(fence) != text.npos) fence += '`';
  return fence;
}

}  // namespace

std::string McpEdited(const Answer& ours, const Scene& scene) {
  constexpr std::size_t kRuler = 67;
  const std::string path = ValidUtf8(AbsoluteText(scene.boundary, scene.given.Text("path")));
  std::string diff = "Index: " + path + "\n" + std::string(kRuler, '=') + "\n--- " + path +
                     "\toriginal\n+++ " + path + "\tmodified\n";
  const std::string changed(TextIn(ours.data, "diff"));
  for (const Hunk& hunk : HunksOf(changed)) {
    diff += HeaderOf(hunk);
    for (const std::string_view line : hunk.lines) diff += std::string(line) + "\n";
  }
  diff = WithPlainLineEnds(diff);
  const std::string fence = FenceFor(diff);
  return fence + "diff\n" + diff + fence + "\n\n";
}

}  // namespace cordon::tools::dialect
