// What an undo tells a person or a model.
#pragma once

#include <boost/json/object.hpp>
#include <cstddef>
#include <optional>
#include <string>

#include "guard/guard.h"
#include "tools/field.h"
#include "tools/outcome.h"
#include "undo/operation.h"

namespace cordon::tools {

inline constexpr std::size_t kMostCompared = std::size_t{64} << 20;

// A state of a path, and its content as far as it can be had and may be told.
struct SeenState {
  const undo::Node& node;
  std::optional<std::string> content;
};

// Below the workspace where it is there; absolute otherwise.
std::string ShownPath(const guard::Guard& guard, const std::string& path);

// kStaleFile, with a diff from what the operation left to what is there.
Failure ChangedSince(undo::OperationId operation, const std::string& shown, const SeenState& left,
                     const SeenState& now);

// kStaleFile: a directory that was made has something in it by now.
Failure NotEmpty(const undo::Change& change, const std::string& path, const std::string& name,
                 const std::string& shown);

// An operation as undo and history tell it.
inline constexpr Field kOperationFields[] = {
    {"operation", FieldType::kInteger, Need::kRequired, "Its number, for undo."},
    {"time_ns", FieldType::kInteger, Need::kRequired, "When, in nanoseconds since 1970."},
    {"session", FieldType::kText, Need::kRequired, "Whose."},
    {"actor", FieldType::kText, Need::kRequired, "Who acted."},
    {"tool", FieldType::kText, Need::kRequired, "With what."},
    {"kind", FieldType::kText, Need::kOptional, "write, append, mkdir, link, remove or rename."},
    {"path", FieldType::kPath, Need::kOptional, "Where."},
    {"to", FieldType::kPath, Need::kOptional, "Of a rename: where to."},
    {"changes", FieldType::kInteger, Need::kOptional, "How many changes it made."},
    {"interrupted", FieldType::kFlag, Need::kOptional, "Its end is not known."},
    {"not_undoable", FieldType::kText, Need::kOptional, "Why it cannot be undone."},
    {"undoes", FieldType::kInteger, Need::kOptional, "It is the undo of that one."},
    {"undone_by", FieldType::kInteger, Need::kOptional, "It was undone by that one."},
};
boost::json::object OperationObject(const guard::Guard& guard, const undo::Operation& operation);

// "#12  write     src/main.cc": one line, safe to show.
std::string OperationLine(const guard::Guard& guard, const undo::Operation& operation);

}  // namespace cordon::tools
