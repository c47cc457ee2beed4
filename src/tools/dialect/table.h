// A dialect as a table: another agent's tools, each said in terms of one of ours.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/storage_ptr.hpp>
#include <boost/json/value.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "guard/boundary.h"
#include "tools/arguments.h"
#include "tools/field.h"
#include "tools/outcome.h"
#include "tools/schema.h"
#include "tools/tool.h"

namespace cordon::tools::dialect {

// Where values differ from ours: makes one of theirs. Null: not given.
using Conversion = Result<boost::json::value> (*)(const Arguments& given);

// One argument of our tool, and where it comes from.
struct Binding {
  std::string_view ours;
  std::string_view theirs = {};  // the same value under their name
  Conversion convert = nullptr;
  std::string_view constant = {};  // JSON
};

// What a text may be made of besides the outcome.
struct Scene {
  std::string_view tool;       // by their name
  std::string_view operation;  // the row's
  std::string_view words;      // the row's
  const Arguments& given;      // theirs; empty if they could not be read
  const guard::Boundary& boundary;
  boost::json::storage_ptr memory = {};  // for what is told
};

using SuccessText = std::string (*)(const Answer& ours, const Scene& scene);
using SuccessData = boost::json::object (*)(const Answer& ours, const Scene& scene,
                                            std::string_view text);
using FailureText = std::string (*)(const Failure& failure, const Scene& scene);

// One of their tools, or one case of it: rows of the same name are tried in order.
struct Row {
  std::string_view name;
  std::string_view title;
  std::string_view description;
  Effect effect = Effect::kNone;
  Repeat repeat = Repeat::kSame;
  Fields input;
  Fields output;
  const Tool* tool = nullptr;
  std::span<const Binding> bindings = {};
  SuccessText text = nullptr;  // null: `words`
  SuccessData data = nullptr;  // null: ours
  // What their implementation does on the disk; some tell it in errors.
  std::string_view operation = {};
  // With {name} for what the answer's data, or else the call, has under it; empty: our text.
  std::string_view words = {};
  // Only if the dialect's selector has this value.
  std::string_view when = {};
  // Only after the row before has failed like this.
  std::optional<ErrorCode> after = {};
};

// Refuses what their implementation would refuse. Errors: kInvalidArguments.
using Check = Status (*)(Fields fields, const boost::json::object& given);

// Refuses by text what their implementation refuses. Errors: whatever it is.
using Admit = Status (*)(const Arguments& given, const guard::Boundary& boundary);

// What a model is told of one kind of failure; {path}, {advice}, and what the failure's data
// and the call have.
struct FailureWords {
  ErrorCode code;
  std::string_view words;
};

struct Dialect {
  std::string_view name;
  std::span<const Row> rows;
  FailureText failure = nullptr;                // null: `failures`
  std::span<const FailureWords> failures = {};  // for the rest, ours
  Check check = nullptr;                        // null: only ours
  Admit admit = nullptr;
  Others others = Others::kRefused;
  std::string_view selector = {};  // the field that chooses among rows of one name
};

}  // namespace cordon::tools::dialect
