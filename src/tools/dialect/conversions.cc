#include "tools/dialect/conversions.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <initializer_list>
#include <string>

#include "base/printable.h"
#include "base/try.h"

namespace cordon::tools::dialect {
namespace {

namespace json = boost::json;

Error Refused(std::string detail) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "conversion";
  error.detail = std::move(detail);
  return error;
}

Result<std::int64_t> CountOf(const Arguments& given, std::string_view name) {
  if (given.IntegerOr("head", 0) != 0 && given.IntegerOr("tail", 0) != 0) {
    return Refused("Cannot specify both head and tail parameters simultaneously");
  }
  const std::int64_t count = given.IntegerOr(name, 0);
  if (count < 0) return Refused(Quoted(name) + " must not be negative");
  return count;
}

json::value EditOf(const Arguments& given, std::string_view old_name, std::string_view new_name) {
  return {{"old", given.Text(old_name)}, {"new", given.Text(new_name)}};
}

json::value Widest(const Arguments& given, std::initializer_list<std::string_view> names) {
  std::int64_t most = 0;
  for (const std::string_view name : names) most = std::max(most, given.IntegerOr(name, 0));
  return most;
}

}  // namespace

Result<json::value> HeadAsEndLine(const Arguments& given) {
  TRY_ASSIGN(const std::int64_t count, CountOf(given, "head"));
  return count == 0 ? json::value() : json::value(count);
}

Result<json::value> TailAsStartLine(const Arguments& given) {
  TRY_ASSIGN(const std::int64_t count, CountOf(given, "tail"));
  return count == 0 ? json::value() : json::value(-count);
}

Result<json::value> EditPairs(const Arguments& given) {
  json::array edits;
  for (const Arguments& edit : given.Objects("edits")) {
    edits.push_back(EditOf(edit, "oldText", "newText"));
  }
  return json::value(std::move(edits));
}

Result<json::value> TreeExcludes(const Arguments& given) {
  json::array patterns;
  for (const std::string& pattern : given.Texts("excludePatterns")) {
    const bool anywhere = pattern.find('*') == pattern.npos;
    patterns.emplace_back((anywhere ? "**/" : "/") + pattern);
  }
  return json::value(std::move(patterns));
}

Result<json::value> SearchExcludes(const Arguments& given) {
  json::array patterns;
  for (const std::string& pattern : given.Texts("excludePatterns")) {
    patterns.emplace_back("/" + pattern);
  }
  return json::value(std::move(patterns));
}

Status RefuseDrives(const Arguments& given, const guard::Boundary& boundary) {
  if (!boundary.workspace().real_path().starts_with('/')) return {};
  for (const std::string_view name : {"path", "source", "destination"}) {
    const std::string& path = given.Text(name);
    const bool letter =
        !path.empty() && ((path[0] >= 'A' && path[0] <= 'Z') || (path[0] >= 'a' && path[0] <= 'z'));
    if (!letter || path.size() < 2 || path[1] != ':') continue;
    if (path.size() == 2 || path[2] == '\\' || path[2] == '/') {
      return Refused("Access denied - Windows-style path received on a POSIX host: " + path);
    }
  }
  return {};
}

Result<json::value> NewStrOrNothing(const Arguments& given) {
  return json::value(given.Text("new_str"));
}

Result<json::value> ViewStart(const Arguments& given) {
  const auto& range = given.Integers("view_range");
  return range.empty() ? json::value() : json::value(range.front());
}

Result<json::value> ViewEnd(const Arguments& given) {
  const auto& range = given.Integers("view_range");
  return range.empty() ? json::value() : json::value(range.back());
}

Result<json::value> GeminiContext(const Arguments& given) {
  return Widest(given, {"context", "after", "before"});
}

Result<json::value> ClaudeContext(const Arguments& given) {
  return Widest(given, {"-A", "-B", "-C"});
}

Result<json::value> GeminiCase(const Arguments& given) {
  return json::value(given.Says("case_sensitive") ? "sensitive" : "insensitive");
}

Result<json::value> ClaudeCase(const Arguments& given) {
  return json::value(given.Says("-i") ? "insensitive" : "sensitive");
}

Result<json::value> FixedStrings(const Arguments& given) {
  return json::value(given.Says("fixed_strings") ? "literal" : "regex");
}

Result<json::value> NamesOnly(const Arguments& given) {
  return json::value(given.Says("names_only") ? "files" : "lines");
}

Result<json::value> OutputMode(const Arguments& given) {
  const std::string_view mode = given.TextOr("output_mode", "files_with_matches");
  if (mode == "content") return json::value("lines");
  return json::value(mode == "count" ? "count" : "files");
}

Result<json::value> NotIgnored(const Arguments& given) {
  return json::value(!given.Says("no_ignore"));
}

Result<json::value> FirstHundred(const Arguments& given) {
  return json::value(given.IntegerOr("total_max_matches", 100));
}

Result<json::value> HeadLimit(const Arguments& given) {
  return json::value(given.IntegerOr("head_limit", 250));
}

}  // namespace cordon::tools::dialect
