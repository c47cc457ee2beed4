#include "tools/arguments.h"

#include <algorithm>
#include <charconv>

#include "base/percent.h"
#include "base/printable.h"
#include "base/try.h"

namespace cordon::tools {
namespace {

namespace json = boost::json;

constexpr std::string_view kEncodingSuffix = "_encoding";

Error Invalid(std::string_view field, std::string detail) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "arguments";
  error.component = field;
  error.detail = std::move(detail);
  return error;
}

Error WrongType(const Field& field, std::string_view wanted) {
  return Invalid(field.name, Quoted(field.name) + " must be " + std::string(wanted));
}

const Field* FindField(Fields fields, std::string_view name) {
  for (const Field& field : fields) {
    if (field.name == name) return &field;
  }
  for (const Field& field : fields) {
    if (std::ranges::find(field.aliases, name) != field.aliases.end()) return &field;
  }
  return nullptr;
}

// The path that NAME_encoding speaks of.
const Field* FindEncoded(Fields fields, std::string_view name) {
  if (!name.ends_with(kEncodingSuffix)) return nullptr;
  const Field* field = FindField(fields, name.substr(0, name.size() - kEncodingSuffix.size()));
  return field != nullptr && field->type == FieldType::kPath ? field : nullptr;
}

Error Unknown(Fields fields, std::string_view name) {
  std::string known;
  for (const Field& field : fields) {
    if (!known.empty()) known += ", ";
    known += field.name;
  }
  return Invalid(name, "there is no argument " + Quoted(name) +
                           (known.empty() ? "; none are taken" : "; those there are: " + known));
}

Result<std::int64_t> ReadInteger(const Field& field, const json::value& value) {
  std::optional<std::int64_t> number;
  if (value.is_int64()) number = value.as_int64();
  if (value.is_double()) {
    const double given = value.as_double();
    constexpr double kExact = 9007199254740992.0;
    if (given >= -kExact && given <= kExact &&
        given == static_cast<double>(static_cast<std::int64_t>(given))) {
      number = static_cast<std::int64_t>(given);
    }
  }
  if (value.is_string()) {
    const std::string_view text = value.as_string();
    std::int64_t parsed = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), parsed);
    if (failed == std::errc() && end == text.data() + text.size()) number = parsed;
  }
  if (!number) return WrongType(field, "a whole number");
  if ((field.least && *number < *field.least) || (field.most && *number > *field.most)) {
    std::string bounds;
    if (field.least) bounds = "at least " + std::to_string(*field.least);
    if (field.most) {
      bounds += (bounds.empty() ? "" : " and ") + ("at most " + std::to_string(*field.most));
    }
    return Invalid(field.name, Quoted(field.name) + " must be " + bounds);
  }
  return *number;
}

Result<bool> ReadFlag(const Field& field, const json::value& value) {
  if (value.is_bool()) return value.as_bool();
  if (value.is_string()) {
    if (value.as_string() == "true") return true;
    if (value.as_string() == "false") return false;
  }
  return WrongType(field, "true or false");
}

Result<std::string> ReadText(const Field& field, const json::value& value) {
  if (!value.is_string()) return WrongType(field, "a text");
  std::string text(value.as_string());
  if (!field.choices.empty() && std::ranges::find(field.choices, text) == field.choices.end()) {
    std::string known;
    for (const std::string_view choice : field.choices) {
      if (!known.empty()) known += ", ";
      known += choice;
    }
    return Invalid(field.name, Quoted(field.name) + " must be one of: " + known);
  }
  return text;
}

Status CheckCount(const Field& field, std::size_t count) {
  if (field.most && count > static_cast<std::uint64_t>(*field.most)) {
    return Invalid(field.name, Quoted(field.name) + " has more than " +
                                   std::to_string(*field.most) + " entries");
  }
  if (field.least && count < static_cast<std::uint64_t>(*field.least)) {
    return Invalid(field.name, Quoted(field.name) + " has fewer than " +
                                   std::to_string(*field.least) + " entries");
  }
  return {};
}

Result<std::vector<std::string>> ReadTexts(const Field& field, const json::value& value) {
  std::vector<std::string> texts;
  if (value.is_string()) {
    texts.emplace_back(value.as_string());
    return texts;
  }
  if (!value.is_array()) return WrongType(field, "a list of texts");
  for (const json::value& one : value.as_array()) {
    if (!one.is_string()) return WrongType(field, "a list of texts");
    texts.emplace_back(one.as_string());
  }
  TRY(CheckCount(field, texts.size()));
  return texts;
}

Result<std::vector<std::int64_t>> ReadIntegers(const Field& field, const json::value& value) {
  std::vector<std::int64_t> numbers;
  if (!value.is_array()) return WrongType(field, "a list of whole numbers");
  Field one = field;  // its bounds are those of the list
  one.least = one.most = std::nullopt;
  for (const json::value& each : value.as_array()) {
    TRY_ASSIGN(const std::int64_t number, ReadInteger(one, each));
    numbers.push_back(number);
  }
  TRY(CheckCount(field, numbers.size()));
  return numbers;
}

Result<std::vector<Arguments>> ReadObjects(const Field& field, const json::value& value) {
  std::vector<Arguments> objects;
  if (!value.is_array()) return WrongType(field, "a list of objects");
  TRY(CheckCount(field, value.as_array().size()));
  for (const json::value& one : value.as_array()) {
    if (!one.is_object()) return WrongType(field, "a list of objects");
    auto object = Arguments::Parse(field.fields, one.as_object());
    if (!object) {
      Error error = std::move(object.error());
      error.detail = "in " + Quoted(field.name) + " " + std::to_string(objects.size() + 1) + ": " +
                     error.detail;
      return error;
    }
    objects.push_back(std::move(*object));
  }
  return objects;
}

}  // namespace

Result<Arguments::Value> Arguments::Read(const Field& field, const json::value& value) {
  switch (field.type) {
    case FieldType::kText:
    case FieldType::kPath: {
      TRY_ASSIGN(std::string text, ReadText(field, value));
      return Value(std::move(text));
    }
    case FieldType::kInteger: {
      TRY_ASSIGN(const std::int64_t number, ReadInteger(field, value));
      return Value(number);
    }
    case FieldType::kFlag: {
      TRY_ASSIGN(const bool flag, ReadFlag(field, value));
      return Value(flag);
    }
    case FieldType::kTextList: {
      TRY_ASSIGN(auto texts, ReadTexts(field, value));
      return Value(std::move(texts));
    }
    case FieldType::kIntegerList: {
      TRY_ASSIGN(auto numbers, ReadIntegers(field, value));
      return Value(std::move(numbers));
    }
    case FieldType::kObject: {
      if (!value.is_object()) return WrongType(field, "an object");
      TRY_ASSIGN(Arguments object, Parse(field.fields, value.as_object()));
      std::vector<Arguments> one;
      one.push_back(std::move(object));
      return Value(std::move(one));
    }
    case FieldType::kObjectList: break;
  }
  TRY_ASSIGN(auto objects, ReadObjects(field, value));
  return Value(std::move(objects));
}

Result<Arguments> Arguments::Parse(Fields fields, const json::object& given, Others others) {
  Arguments arguments;
  arguments.given_.reserve(std::min(fields.size(), given.size()));
  for (const auto& [key, value] : given) {
    const std::string_view name = key;
    if (FindEncoded(fields, name) != nullptr) continue;
    const Field* const field = FindField(fields, name);
    if (field == nullptr && others == Others::kIgnored) continue;
    if (field == nullptr) return Unknown(fields, name);
    if (value.is_null()) continue;
    if (arguments.Has(field->name)) {
      return Invalid(field->name, Quoted(field->name) + " is given twice");
    }
    TRY_ASSIGN(Value read, Read(*field, value));
    arguments.given_.push_back({field->name, std::move(read)});
  }
  for (const auto& [key, value] : given) {
    const Field* const field = FindEncoded(fields, key);
    if (field == nullptr || value.is_null()) continue;
    if (!value.is_string() || value.as_string() != "percent") {
      return Invalid(key, Quoted(key) + " can only be \"percent\"");
    }
    const auto encoded = std::ranges::find(arguments.given_, field->name, &Given::name);
    if (encoded == arguments.given_.end()) continue;
    TRY_ASSIGN(encoded->value, PercentDecode(std::get<std::string>(encoded->value)));
  }
  for (const Field& field : fields) {
    if (field.need == Need::kRequired && !arguments.Has(field.name)) {
      return Invalid(field.name, Quoted(field.name) + " must be given");
    }
  }
  return arguments;
}

const Arguments::Value* Arguments::ValueOf(std::string_view name) const {
  const auto found = std::ranges::find(given_, name, &Given::name);
  return found == given_.end() ? nullptr : &found->value;
}

template <typename T>
const T* Arguments::Find(std::string_view name) const {
  const Value* const value = ValueOf(name);
  return value == nullptr ? nullptr : std::get_if<T>(value);
}

const std::string& Arguments::Text(std::string_view name) const {
  static const std::string kNone;
  const auto* const text = Find<std::string>(name);
  return text == nullptr ? kNone : *text;
}

std::string_view Arguments::TextOr(std::string_view name, std::string_view otherwise) const {
  const auto* const text = Find<std::string>(name);
  return text == nullptr ? otherwise : std::string_view(*text);
}

std::optional<std::int64_t> Arguments::Integer(std::string_view name) const {
  const auto* const number = Find<std::int64_t>(name);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

std::int64_t Arguments::IntegerOr(std::string_view name, std::int64_t otherwise) const {
  return Integer(name).value_or(otherwise);
}

bool Arguments::Says(std::string_view name) const {
  const auto* const flag = Find<bool>(name);
  return flag != nullptr && *flag;
}

bool Arguments::Denies(std::string_view name) const {
  const auto* const flag = Find<bool>(name);
  return flag != nullptr && !*flag;
}

const std::vector<std::string>& Arguments::Texts(std::string_view name) const {
  static const std::vector<std::string> kNone;
  const auto* const texts = Find<std::vector<std::string>>(name);
  return texts == nullptr ? kNone : *texts;
}

const std::vector<std::int64_t>& Arguments::Integers(std::string_view name) const {
  static const std::vector<std::int64_t> kNone;
  const auto* const numbers = Find<std::vector<std::int64_t>>(name);
  return numbers == nullptr ? kNone : *numbers;
}

const std::vector<Arguments>& Arguments::Objects(std::string_view name) const {
  static const std::vector<Arguments> kNone;
  const auto* const objects = Find<std::vector<Arguments>>(name);
  return objects == nullptr ? kNone : *objects;
}

}  // namespace cordon::tools
