// The declaration of the configuration file: every key, once. What ParseConfig
// checks, the JSON Schema and the reference all come from here.
#pragma once

#include <span>
#include <string_view>

#include "policy/config.h"

namespace cordon::policy {

enum class KeyType { kString, kBoolean, kStringArray, kTableArray };

// Who may set it.
enum class KeyScope {
  kOperator,   // only the operator's file
  kBoth,       // a workspace's own file, too
  kBothIfTrue  // there only as `true`
};

struct KeyDeclaration {
  std::string_view name;
  KeyType type;
  KeyScope scope;
  std::string_view fallback;                  // what holds without it, in words or TOML
  std::string_view description;               // one or two sentences, Markdown
  std::span<const std::string_view> allowed;  // values; empty: any text
  bool required = false;
  bool non_empty = false;  // of an array: it must have an element
};

std::span<const KeyDeclaration> ConfigKeys();   // of the file
std::span<const KeyDeclaration> DenyKeys();     // of each [[deny]]
std::span<const KeyDeclaration> ToolKeys();     // of each [[tool]]
std::span<const KeyDeclaration> CommandKeys();  // of each [[command]]
// Of each table of the array `name`, "deny", "tool" or "command".
std::span<const KeyDeclaration> ItemKeys(std::string_view name);

// "a string", "an array of strings", ...
std::string_view TypeName(KeyType type);

}  // namespace cordon::policy
