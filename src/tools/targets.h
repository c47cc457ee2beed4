// What tools with two paths have in common.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "tools/field.h"
#include "tools/outcome.h"

namespace cordon::tools {

inline constexpr std::string_view kSourceAliases[] = {"from", "path", "old_path", "source_path"};
inline constexpr std::string_view kDestinationAliases[] = {"to", "new_path", "target",
                                                           "destination_path"};
inline constexpr Field kSourceField{
    "source", FieldType::kPath, Need::kRequired, "What is there.", {}, {}, {}, {}, kSourceAliases};
inline constexpr Field kDestinationField{
    "destination",      FieldType::kPath, Need::kRequired, "The whole new path.", {}, {}, {}, {},
    kDestinationAliases};

// An error of one of the paths.
inline Failure At(Error error, std::string_view path) {
  Failure failure(std::move(error));
  failure.requested = path;
  return failure;
}

}  // namespace cordon::tools
