#include "tools/dialect/strict_check.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <string>
#include <string_view>

namespace cordon::tools::dialect {
namespace {

namespace json = boost::json;

std::string_view ExpectedName(FieldType type) {
  switch (type) {
    case FieldType::kInteger: return "number";
    case FieldType::kFlag: return "boolean";
    case FieldType::kTextList:
    case FieldType::kIntegerList:
    case FieldType::kObjectList: return "array";
    case FieldType::kObject: return "object";
    case FieldType::kText:
    case FieldType::kPath: break;
  }
  return "string";
}

std::string_view ReceivedName(const json::value* value) {
  if (value == nullptr) return "undefined";
  switch (value->kind()) {
    case json::kind::null: return "null";
    case json::kind::bool_: return "boolean";
    case json::kind::string: return "string";
    case json::kind::array: return "array";
    case json::kind::object: return "object";
    default: return "number";
  }
}

class Checker {
 public:
  void Object(Fields fields, const json::object& given, const std::string& place) {
    for (const Field& field : fields) {
      std::string name = place;
      if (!name.empty()) name += '.';
      name += field.name;
      Value(field, given.if_contains(field.name), name);
    }
  }

  const std::string& faults() const { return faults_; }

 private:
  void Fault(std::string_view what, const std::string& place) {
    if (!faults_.empty()) faults_ += '\n';
    faults_ += std::string(what) + " at " + place;
  }

  void Type(std::string_view expected, const json::value* value, const std::string& place) {
    const std::string_view received = ReceivedName(value);
    if (received == expected) return;
    Fault(
        "Invalid input: expected " + std::string(expected) + ", received " + std::string(received),
        place);
  }

  void Value(const Field& field, const json::value* value, const std::string& place) {
    if (value == nullptr && field.need == Need::kOptional) return;
    if (!field.choices.empty()) {
      Choice(field, value, place);
      return;
    }
    Type(ExpectedName(field.type), value, place);
    if (value == nullptr) return;
    if (value->is_array()) List(field, value->as_array(), place);
    if (value->is_object() && field.type == FieldType::kObject) {
      Object(field.fields, value->as_object(), place);
    }
  }

  void Choice(const Field& field, const json::value* value, const std::string& place) {
    if (value != nullptr && value->is_string() &&
        std::ranges::find(field.choices, std::string_view(value->as_string())) !=
            field.choices.end()) {
      return;
    }
    std::string known;
    for (const std::string_view choice : field.choices) {
      known += (known.empty() ? "\"" : "|\"") + std::string(choice) + "\"";
    }
    Fault("Invalid option: expected one of " + known, place);
  }

  void List(const Field& field, const json::array& list, const std::string& place) {
    if (ExpectedName(field.type) != "array") return;
    if (field.least && list.size() < static_cast<std::uint64_t>(*field.least)) {
      Fault("Too small: expected array to have >=" + std::to_string(*field.least) + " items",
            place);
    }
    for (std::size_t index = 0; index < list.size(); ++index) {
      const std::string here = place + "[" + std::to_string(index) + "]";
      const json::value& one = list[index];
      if (field.type == FieldType::kIntegerList) {
        Type("number", &one, here);
      } else if (field.type == FieldType::kTextList) {
        Type("string", &one, here);
      } else if (one.is_object()) {
        Object(field.fields, one.as_object(), here);
      } else {
        Type("object", &one, here);
      }
    }
  }

  std::string faults_;
};

}  // namespace

Status CheckStrictly(Fields fields, const json::object& given) {
  Checker checker;
  checker.Object(fields, given, "");
  if (checker.faults().empty()) return {};
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "arguments";
  error.detail = checker.faults();
  return error;
}

}  // namespace cordon::tools::dialect
