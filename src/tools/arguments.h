// A call's arguments, checked against the tool's fields.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cordon/result.h"
#include "tools/field.h"

namespace cordon::tools {

// Guarantees: every required field is there, every field that is there is declared, has
//   its type and is within its bounds; aliases have become the names they stand for, and
//   paths are bytes, whatever they were encoded as.
class Arguments {
 public:
  // Lenient where models vary (aliases, numbers and flags as texts, null for "not given"),
  // strict otherwise. `others`: what `fields`, whose names must outlive this, do not declare.
  // Errors: kInvalidArguments; the detail names the field, and for an unknown one those
  //   that are known.
  static Result<Arguments> Parse(Fields fields, const boost::json::object& given,
                                 Others others = Others::kRefused);

  bool Has(std::string_view name) const { return ValueOf(name) != nullptr; }
  // Of a field that is there, or empty.
  const std::string& Text(std::string_view name) const;
  std::string_view TextOr(std::string_view name, std::string_view otherwise) const;
  std::optional<std::int64_t> Integer(std::string_view name) const;
  std::int64_t IntegerOr(std::string_view name, std::int64_t otherwise) const;
  // Whether a flag was given and is on; given and is off.
  bool Says(std::string_view name) const;
  bool Denies(std::string_view name) const;
  const std::vector<std::string>& Texts(std::string_view name) const;
  const std::vector<std::int64_t>& Integers(std::string_view name) const;
  const std::vector<Arguments>& Objects(std::string_view name) const;

 private:
  using Value = std::variant<std::string, std::int64_t, bool, std::vector<std::string>,
                             std::vector<std::int64_t>, std::vector<Arguments>>;
  struct Given;
  const Value* ValueOf(std::string_view name) const;
  template <typename T>
  const T* Find(std::string_view name) const;
  static Result<Value> Read(const Field& field, const boost::json::value& value);

  std::vector<Given> given_;  // few: to look at all of them is quicker than a tree of nodes
};

struct Arguments::Given {
  std::string_view name;  // the field's own
  Value value;
};

}  // namespace cordon::tools
