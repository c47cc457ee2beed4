#include <string>

#include "base/printable.h"
#include "tools/dialect/agent_texts.h"
#include "tools/dialect/data_fields.h"
#include "tools/path_text.h"

namespace cordon::tools::dialect {
namespace {

namespace json = boost::json;

std::string Counted(std::int64_t count, std::string_view what, std::string_view plural) {
  return std::to_string(count) + " " + std::string(count == 1 ? what : plural);
}

std::string PlaceOf(const Answer& ours) { return std::string(TextIn(ours.data, "path")); }

// A name with a newline in it must not pass for two.
std::string Shown(std::string_view path) { return Printable(path, path.size()); }

// Absolute paths, a line each.
std::string PathLines(const Answer& ours, const Scene& scene) {
  std::string text;
  for (const json::value& one : ListIn(ours.data, "matches")) {
    text += Shown(AbsoluteText(scene.boundary, TextIn(one.as_object(), "path"))) + "\n";
  }
  return text;
}

std::string FileLines(const Answer& ours) {
  std::string text;
  for (const json::value& one : ListIn(ours.data, "files")) {
    const json::object& file = one.as_object();
    text += Shown(TextIn(file, "path"));
    if (file.contains("matches")) text += ":" + std::to_string(NumberIn(file, "matches"));
    text += "\n";
  }
  return text;
}

std::int64_t SumOfMatches(const Answer& ours) {
  std::int64_t sum = 0;
  for (const json::value& one : ListIn(ours.data, "files")) {
    sum += NumberIn(one.as_object(), "matches");
  }
  return sum;
}

}  // namespace

std::string GeminiListing(const Answer& ours, const Scene&) {
  const json::array& entries = ListIn(ours.data, "entries");
  if (entries.empty()) return "Directory " + PlaceOf(ours) + " is empty.";
  std::string text = "Directory listing for " + PlaceOf(ours) + ":\n";
  for (const json::value& one : entries) {
    const json::object& entry = one.as_object();
    const std::string_view kind = TextIn(entry, "kind");
    if (kind == "directory") text += "[DIR] ";
    if (kind == "link") text += "[LINK] ";
    text += Shown(TextIn(entry, "path")) + "\n";
  }
  if (FlagIn(ours.data, "truncated")) text += "(more entries are not shown)\n";
  if (const std::int64_t ignored = NumberIn(ours.data, "ignored"); ignored > 0) {
    text += "(" + std::to_string(ignored) + " ignored)\n";
  }
  return text;
}

std::string GeminiGlob(const Answer& ours, const Scene& scene) {
  const std::string pattern = Quoted(scene.given.Text("pattern"));
  const std::int64_t total = NumberIn(ours.data, "total");
  if (total == 0) return "No files found matching pattern " + pattern + " within " + PlaceOf(ours);
  std::string text = "Found " + std::to_string(total) + " file(s) matching " + pattern +
                     " within " + PlaceOf(ours) +
                     ", sorted by modification time (newest first):\n" + PathLines(ours, scene);
  if (FlagIn(ours.data, "truncated")) text += "(more files match and are not shown)\n";
  return text;
}

std::string GeminiGrep(const Answer& ours, const Scene& scene) {
  const std::string about =
      "for pattern " + Quoted(scene.given.Text("pattern")) + " in path \"" + PlaceOf(ours) + "\"";
  const std::int64_t told = NumberIn(ours.data, "told");
  if (told == 0) return "No matches found " + about + ".";
  if (ours.data.contains("files")) {
    return "Found " + Counted(told, "file", "files") + " with matches " + about + ":\n" +
           FileLines(ours);
  }
  std::string text = "Found " + Counted(told, "match", "matches") + " " + about + ":\n---\n";
  std::string_view last;
  for (const json::value& one : ListIn(ours.data, "lines")) {
    const json::object& line = one.as_object();
    const std::string_view path = TextIn(line, "path");
    if (path != last) {
      if (!last.empty()) text += "---\n";
      text += "File: " + Shown(path) + "\n";
      last = path;
    }
    text += "L" + std::to_string(NumberIn(line, "line")) + (FlagIn(line, "context") ? "- " : ": ") +
            std::string(TextIn(line, "text")) + "\n";
  }
  text += "---\n";
  if (FlagIn(ours.data, "truncated")) text += "(more matches are not shown)\n";
  return text;
}

std::string ClaudeGlob(const Answer& ours, const Scene& scene) {
  if (NumberIn(ours.data, "total") == 0) return "No files found";
  std::string text = PathLines(ours, scene);
  if (FlagIn(ours.data, "truncated")) {
    text += "(Results are truncated. Use a more specific path or pattern.)\n";
  }
  return text;
}

std::string ClaudeGrep(const Answer& ours, const Scene& scene) {
  const std::int64_t told = NumberIn(ours.data, "told");
  if (told == 0) return "No matches found";
  std::string text;
  const std::string_view mode = scene.given.TextOr("output_mode", "files_with_matches");
  if (mode == "content") {
    for (const json::value& one : ListIn(ours.data, "lines")) {
      const json::object& line = one.as_object();
      const char mark = FlagIn(line, "context") ? '-' : ':';
      text += Shown(TextIn(line, "path"));
      text += mark;
      text += std::to_string(NumberIn(line, "line"));
      text += mark;
      text += TextIn(line, "text");
      text += '\n';
    }
  } else if (mode == "count") {
    text = FileLines(ours) + "\nFound " +
           Counted(SumOfMatches(ours), "total occurrence", "total occurrences") + " across " +
           Counted(told, "file", "files") + ".\n";
  } else {
    text = "Found " + Counted(told, "file", "files") + "\n" + FileLines(ours);
  }
  if (FlagIn(ours.data, "truncated")) {
    text += "[Showing results with pagination = offset: " +
            std::to_string(NumberIn(ours.data, "next_offset")) + " goes on]\n";
  }
  return text;
}

std::string OpenHandsListing(const Answer& ours, const Scene& scene) {
  const std::string start = AbsoluteText(scene.boundary, TextIn(ours.data, "path"));
  std::string text = "Here's the files and directories up to 2 levels deep in " + PlaceOf(ours) +
                     ", excluding hidden items:\n" + start + "/\n";
  for (const json::value& one : ListIn(ours.data, "entries")) {
    const json::object& entry = one.as_object();
    text += start + "/" + Shown(TextIn(entry, "path")) +
            (TextIn(entry, "kind") == "directory" ? "/\n" : "\n");
  }
  return text;
}

}  // namespace cordon::tools::dialect
