#include "tools/dialect/translate.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <string>
#include <utility>

#include "base/printable.h"
#include "base/try.h"
#include "tools/result_object.h"

namespace cordon::tools::dialect {
namespace {

namespace json = boost::json;

const Field* FindField(Fields fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &Field::name);
  return found == fields.end() ? nullptr : &*found;
}

json::array ArrayOf(const std::vector<std::string>& texts) {
  json::array array;
  for (const std::string& text : texts) array.emplace_back(text);
  return array;
}

Error Missing(std::string_view theirs) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "arguments";
  error.component = theirs;
  error.detail = Quoted(theirs) + " must be given";
  return error;
}

// Most are plain, and a parser would take longer for them than the rest of a call's arguments.
json::value ConstantOf(std::string_view text) {
  if (text == "true") return true;
  if (text == "false") return false;
  const bool string = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  const bool plain = string && text.find('\\') == text.npos;
  return plain ? json::value(text.substr(1, text.size() - 2)) : json::parse(text);
}

// Puts one field, as it was given, under our name. The rest needs a conversion.
void Copy(const Field& field, const Arguments& given, std::string_view ours, json::object& into) {
  switch (field.type) {
    case FieldType::kText: into[ours] = given.Text(field.name); return;
    case FieldType::kPath: AddPath(into, ours, given.Text(field.name)); return;
    case FieldType::kInteger: into[ours] = given.IntegerOr(field.name, 0); return;
    case FieldType::kFlag: into[ours] = given.Says(field.name); return;
    case FieldType::kTextList: into[ours] = ArrayOf(given.Texts(field.name)); return;
    case FieldType::kIntegerList:
    case FieldType::kObject:
    case FieldType::kObjectList: return;
  }
}

}  // namespace

Result<json::object> Translate(const Row& row, const Arguments& given, json::storage_ptr memory) {
  json::object ours(std::move(memory));
  ours.reserve(row.bindings.size());
  for (const Binding& binding : row.bindings) {
    if (binding.convert != nullptr) {
      TRY_ASSIGN(json::value value, binding.convert(given));
      if (!value.is_null()) ours[binding.ours] = std::move(value);
    } else if (!binding.constant.empty()) {
      ours[binding.ours] = ConstantOf(binding.constant);
    } else if (given.Has(binding.theirs)) {
      const Field* const field = FindField(row.input, binding.theirs);
      if (field != nullptr) Copy(*field, given, binding.ours, ours);
    } else if (const Field* const needed = FindField(row.tool->input, binding.ours);
               needed != nullptr && needed->need == Need::kRequired) {
      return Missing(binding.theirs);
    }
  }
  return ours;
}

}  // namespace cordon::tools::dialect
