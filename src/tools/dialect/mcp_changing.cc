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

// The server takes a byte order mark for a part of the first line.
class MarkedLines {
 public:
  MarkedLines(const Hunk& hunk, std::string_view mark)
      : old_mark_(hunk.old_first == 1 ? mark : std::string_view()),
        new_mark_(hunk.new_first == 1 ? mark : std::string_view()) {}

  std::string Next(std::string_view line) {
    if (line.empty()) return {};
    std::string text(line.substr(0, 1));
    const bool is_old = text == " " || text == "-", is_new = text == " " || text == "+";
    if (is_old || is_new) text += is_old ? old_mark_ : new_mark_;
    if (is_old) old_mark_ = {};
    if (is_new) new_mark_ = {};
    return text.append(line.substr(1));
  }

 private:
  std::string_view old_mark_, new_mark_;  // still to be told
};

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
  const std::string_view mark = FlagIn(ours.data, "byte_order_mark") ? kByteOrderMark : "";
  for (const Hunk& hunk : HunksOf(changed)) {
    diff += HeaderOf(hunk);
    MarkedLines marked(hunk, mark);
    for (const std::string_view line : hunk.lines) diff += marked.Next(line) + "\n";
  }
  diff = WithPlainLineEnds(diff);
  const std::string fence = FenceFor(diff);
  return fence + "diff\n" + diff + fence + "\n\n";
}

}  // namespace cordon::tools::dialect
