#include "tools/dialect/conversions.h"

#include <boost/json/array.hpp>
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

Result<json::value> OneEdit(const Arguments& given) {
  json::value edit = EditOf(given, "old_string", "new_string");
  if (given.Says("replace_all") || given.Says("allow_multiple")) {
    edit.as_object()["replace_all"] = true;
  }
  return json::value(json::array{std::move(edit)});
}

Result<json::value> OneOpenHandsEdit(const Arguments& given) {
  return json::value(json::array{EditOf(given, "old_str", "new_str")});
}

Result<json::value> OneLaceEdit(const Arguments& given) {
  return json::value(json::array{EditOf(given, "old_text", "new_text")});
}

}  // namespace cordon::tools::dialect
