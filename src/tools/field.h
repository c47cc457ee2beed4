// What a tool takes and gives, declared once: validation, schemas and documentation are
// made from these tables and so cannot say different things.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace cordon::tools {

enum class FieldType {
  kText,
  kPath,     // text; with a companion NAME_encoding for names that are not UTF-8
  kInteger,  // digits in a text are taken too
  kFlag,     // "true" and "false" as texts are taken too
  kTextList,
  kIntegerList,
  kObject,
  kObjectList,
};

enum class Need { kRequired, kOptional };

struct Field {
  std::string_view name;
  FieldType type = FieldType::kText;
  Need need = Need::kOptional;
  std::string_view description;
  std::span<const std::string_view> choices = {};     // of a text
  std::optional<std::int64_t> least = {}, most = {};  // of a number, or how many in a list
  std::span<const Field> fields = {};                 // of an object, or of each in a list
  std::span<const std::string_view> aliases = {};     // other names that are taken, but not told
  std::string_view otherwise = {};                    // JSON: told as what holds if it is not given
};

using Fields = std::span<const Field>;

// What becomes of an argument that is not declared.
enum class Others { kRefused, kIgnored };

// What models call a path; the aliases of every field "path".
inline constexpr std::string_view kPathAliases[] = {"file_path", "absolute_path", "dir_path",
                                                    "filename"};
inline constexpr Field kPathField{"path",
                                  FieldType::kPath,
                                  Need::kRequired,
                                  "Relative to the project root, or absolute inside it.",
                                  {},
                                  {},
                                  {},
                                  {},
                                  kPathAliases};

}  // namespace cordon::tools
