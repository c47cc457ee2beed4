#include "tools/schema.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <string>

#include "base/printable.h"
#include "base/try.h"

namespace cordon::tools {
namespace {

namespace json = boost::json;

json::object SchemaOf(Fields fields, Others others);

json::value TypeName(FieldType type) {
  switch (type) {
    case FieldType::kInteger: return "integer";
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

json::object PropertyOf(const Field& field, Others others) {
  json::object property;
  if (field.type == FieldType::kObject) property = SchemaOf(field.fields, others);
  property["type"] = TypeName(field.type);
  if (!field.description.empty()) property["description"] = field.description;
  if (!field.choices.empty()) {
    json::array choices;
    for (const std::string_view choice : field.choices) choices.emplace_back(choice);
    property["enum"] = std::move(choices);
  }
  if (field.type == FieldType::kInteger) {
    if (field.least) property["minimum"] = *field.least;
    if (field.most) property["maximum"] = *field.most;
  }
  if (field.type == FieldType::kTextList) property["items"] = {{"type", "string"}};
  if (field.type == FieldType::kIntegerList) property["items"] = {{"type", "integer"}};
  if (field.type == FieldType::kObjectList) property["items"] = SchemaOf(field.fields, others);
  if (property.contains("items") && field.least) property["minItems"] = *field.least;
  if (property.contains("items") && field.most) property["maxItems"] = *field.most;
  if (!field.otherwise.empty()) property["default"] = json::parse(field.otherwise);
  return property;
}

json::object SchemaOf(Fields fields, Others others) {
  json::object properties;
  json::array required;
  for (const Field& field : fields) {
    properties[field.name] = PropertyOf(field, others);
    if (field.need == Need::kRequired) required.emplace_back(field.name);
    if (field.type == FieldType::kPath) {
      properties[std::string(field.name) + "_encoding"] = {
          {"type", "string"},
          {"enum", json::array{"percent"}},
          {"description", "Set when the name is not UTF-8 and stands percent-encoded."}};
    }
  }
  json::object schema;
  schema["type"] = "object";
  schema["properties"] = std::move(properties);
  if (!required.empty()) schema["required"] = std::move(required);
  if (others == Others::kRefused) schema["additionalProperties"] = false;
  return schema;
}

Error Wrong(std::string_view where, std::string_view what) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "output";
  error.component = where;
  error.detail = Quoted(where) + " " + std::string(what);
  return error;
}

Status CheckValue(const Field& field, const json::value& value) {
  switch (field.type) {
    case FieldType::kText:
    case FieldType::kPath: {
      if (!value.is_string()) return Wrong(field.name, "is no text");
      bool known = field.choices.empty();
      for (const std::string_view choice : field.choices) known |= value.as_string() == choice;
      if (!known) return Wrong(field.name, "is none of its choices");
      return {};
    }
    case FieldType::kInteger:
      if (!value.is_int64() && !value.is_uint64()) return Wrong(field.name, "is no whole number");
      return {};
    case FieldType::kFlag:
      if (!value.is_bool()) return Wrong(field.name, "is no flag");
      return {};
    case FieldType::kObject:
      if (!value.is_object()) return Wrong(field.name, "is no object");
      return CheckOutput(field.fields, value.as_object());
    case FieldType::kTextList:
    case FieldType::kIntegerList:
    case FieldType::kObjectList: break;
  }
  if (!value.is_array()) return Wrong(field.name, "is no list");
  for (const json::value& one : value.as_array()) {
    if (field.type == FieldType::kTextList) {
      if (!one.is_string()) return Wrong(field.name, "holds something that is no text");
      continue;
    }
    if (field.type == FieldType::kIntegerList) {
      if (!one.is_int64()) return Wrong(field.name, "holds something that is no whole number");
      continue;
    }
    if (!one.is_object()) return Wrong(field.name, "holds something that is no object");
    TRY(CheckOutput(field.fields, one.as_object()));
  }
  return {};
}

}  // namespace

json::object InputSchema(Fields fields, Others others) { return SchemaOf(fields, others); }
json::object OutputSchema(Fields fields, Others others) { return SchemaOf(fields, others); }

json::object ToolObject(const Tool& tool, Others others) {
  json::object object;
  object["name"] = tool.name;
  object["title"] = tool.title;
  object["description"] = tool.description;
  json::object annotations;
  annotations["title"] = tool.title;
  annotations["readOnlyHint"] = tool.effect == Effect::kNone;
  annotations["destructiveHint"] = tool.effect == Effect::kReplaces;
  annotations["idempotentHint"] = tool.repeat == Repeat::kSame;
  annotations["openWorldHint"] = false;
  object["annotations"] = std::move(annotations);
  object["inputSchema"] = InputSchema(tool.input, others);
  object["outputSchema"] = OutputSchema(tool.output, others);
  return object;
}

Status CheckOutput(Fields fields, const json::object& data) {
  for (const auto& [key, value] : data) {
    const std::string_view name = key;
    bool known = false;
    for (const Field& field : fields) {
      if (field.name == name) {
        TRY(CheckValue(field, value));
        known = true;
      }
      known |= field.type == FieldType::kPath && name == std::string(field.name) + "_encoding";
    }
    if (!known) return Wrong(name, "is not declared");
  }
  for (const Field& field : fields) {
    if (field.need == Need::kRequired && !data.contains(field.name)) {
      return Wrong(field.name, "is missing");
    }
  }
  return {};
}

}  // namespace cordon::tools
