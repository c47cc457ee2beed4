#include <array>
#include <string>

#include "policy/config.h"
#include "policy/config_keys.h"

namespace cordon::policy {
namespace {

constexpr std::array<std::string_view, 4> kProfileNames{"strict", "interactive", "sandboxed",
                                                        "compat"};
constexpr std::array<std::string_view, 2> kDenySets{"default", "credentials"};
constexpr std::array<std::string_view, 8> kOperations{"read", "write", "create", "delete",
                                                      "list", "stat",  "mkdir",  "rename"};

constexpr std::array<KeyDeclaration, 9> kConfigKeys{{
    {"profile", KeyType::kString, KeyScope::kBoth, "\"interactive\"",
     "Which of the four profiles holds. A workspace's file may only choose a narrower one.",
     kProfileNames},
    {"roots",
     KeyType::kStringArray,
     KeyScope::kOperator,
     "as the profile says",
     "The directories an agent works in. The first is the workspace: relative paths are below it. "
     "At least one.",
     {},
     false,
     true},
    {"read_only_roots",
     KeyType::kStringArray,
     KeyScope::kOperator,
     "none",
     "Directories that may be read and listed, and nothing else.",
     {}},
    {"data_dir",
     KeyType::kString,
     KeyScope::kOperator,
     "none",
     "The program's own data, an absolute path. Not for agents, except under `compat`.",
     {}},
    {"read_only",
     KeyType::kBoolean,
     KeyScope::kBothIfTrue,
     "false",
     "Nothing below the roots may be changed. A workspace's file may only set it to `true`.",
     {}},
    {"deny_sets", KeyType::kStringArray, KeyScope::kOperator, "[\"default\"]",
     "Which built-in deny rules hold: `default` is `.env`, `.env.*`, `.ssh` and `.git`; "
     "`credentials` is keys, tokens and credential stores by their usual names. `[]` is none.",
     kDenySets},
    {"deny",
     KeyType::kTableArray,
     KeyScope::kBoth,
     "none",
     "Further deny rules, one `[[deny]]` each. They add to the sets.",
     {}},
    {"tool",
     KeyType::kTableArray,
     KeyScope::kBoth,
     "as the profile says",
     "How far a tool is trusted, one `[[tool]]` each. A workspace's own only narrow.",
     {}},
    {"command",
     KeyType::kTableArray,
     KeyScope::kBoth,
     "none",
     "Rules on shell commands, one `[[command]]` each. A workspace's own never allow.",
     {}},
}};

constexpr std::array<std::string_view, 4> kToolLevels{"allow", "session", "always", "deny"};

constexpr std::array<KeyDeclaration, 2> kToolKeys{{
    {"name",
     KeyType::kString,
     KeyScope::kBoth,
     "must be given",
     "A tool, such as `write_file`, or a kind of tool: `read`, `write`, `delete`, `shell`. A rule "
     "for a tool beats one for its kind.",
     {},
     true},
    {"level", KeyType::kString, KeyScope::kBoth, "must be given",
     "`allow` goes ahead, `session` asks and may be trusted for the session, `always` asks every "
     "time, `deny` never.",
     kToolLevels, true},
}};

constexpr std::array<std::string_view, 3> kActions{"deny", "ask", "allow"};
constexpr std::array<std::string_view, 3> kRisks{"low", "medium", "high"};

constexpr std::array<KeyDeclaration, 7> kCommandKeys{{
    {"action", KeyType::kString, KeyScope::kBoth, "must be given",
     "`deny` never runs it, `ask` always asks, `allow` spares the question. Of several rules the "
     "narrowest counts.",
     kActions, true},
    {"program",
     KeyType::kString,
     KeyScope::kBoth,
     "any",
     "The program's name, `*` and `?` allowed. With `/` its path as written.",
     {}},
    {"arguments",
     KeyType::kStringArray,
     KeyScope::kBoth,
     "any",
     "Words among its arguments, `*` and `?` allowed. To `deny` and `ask` each must stand "
     "somewhere; to `allow` they must stand first, in this order.",
     {},
     false,
     true},
    {"host",
     KeyType::kString,
     KeyScope::kBoth,
     "any",
     "A host it connects to: `example.org`, or `*.example.org` for all below.",
     {}},
    {"writes",
     KeyType::kString,
     KeyScope::kBoth,
     "any",
     "A file it writes or deletes, as a pattern: without `/` a name anywhere, `a/b` from the "
     "working directory, `/a/b` absolute, `~/a` in the home directory.",
     {}},
    {"risk", KeyType::kString, KeyScope::kBoth, "any",
     "How great the risk of the whole command is: at least this to `deny` and `ask`, at most this "
     "to `allow`.",
     kRisks},
    {"reason",
     KeyType::kString,
     KeyScope::kBoth,
     "none",
     "Why, for the person and the model who meet it.",
     {}},
}};

constexpr std::array<KeyDeclaration, 4> kDenyKeys{{
    {"pattern",
     KeyType::kString,
     KeyScope::kBoth,
     "must be given",
     "What is denied, with all below it. Without `/` a name anywhere; with `/` a path from the "
     "root.",
     {},
     true},
    {"operations", KeyType::kStringArray, KeyScope::kBoth, "all",
     "Which operations are refused, at least one. Renaming always is.", kOperations, false, true},
    {"except",
     KeyType::kStringArray,
     KeyScope::kBoth,
     "none",
     "Plain names that the pattern does not cover.",
     {}},
    {"reason",
     KeyType::kString,
     KeyScope::kBoth,
     "none",
     "Why, for the person who meets the refusal.",
     {}},
}};

std::string Quote(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

// The schema of one text: the values that are right, or any that is not empty.
std::string TextSchema(const KeyDeclaration& key) {
  if (key.allowed.empty()) return "{\"type\": \"string\", \"minLength\": 1}";
  std::string schema = "{\"type\": \"string\", \"enum\": [";
  for (std::size_t i = 0; i < key.allowed.size(); ++i) {
    if (i > 0) schema += ", ";
    schema += Quote(key.allowed[i]);
  }
  return schema + "]}";
}

std::string ObjectSchema(std::span<const KeyDeclaration> keys, const std::string& indent);

std::string KeySchema(const KeyDeclaration& key, const std::string& indent) {
  std::string schema = "{\n" + indent + "  \"description\": " + Quote(key.description);
  const std::string next = ",\n" + indent + "  ";
  switch (key.type) {
    case KeyType::kString: schema += next + "\"allOf\": [" + TextSchema(key) + "]"; break;
    case KeyType::kBoolean: schema += next + "\"type\": \"boolean\""; break;
    case KeyType::kStringArray:
      schema += next + "\"type\": \"array\"" + next + "\"items\": " + TextSchema(key) + next +
                "\"uniqueItems\": true";
      if (key.non_empty) schema += next + "\"minItems\": 1";
      break;
    case KeyType::kTableArray:
      schema += next + "\"type\": \"array\"" + next +
                "\"items\": " + ObjectSchema(ItemKeys(key.name), indent + "  ");
      break;
  }
  return schema + "\n" + indent + "}";
}

std::string ObjectSchema(std::span<const KeyDeclaration> keys, const std::string& indent) {
  std::string properties;
  std::string required;
  for (const KeyDeclaration& key : keys) {
    if (!properties.empty()) properties += ",";
    properties += "\n" + indent + "    " + Quote(key.name) + ": " + KeySchema(key, indent + "    ");
    if (!key.required) continue;
    if (!required.empty()) required += ", ";
    required += Quote(key.name);
  }
  std::string schema = "{\n" + indent + "  \"type\": \"object\",\n" + indent +
                       "  \"additionalProperties\": false,\n";
  if (!required.empty()) schema += indent + "  \"required\": [" + required + "],\n";
  return schema + indent + "  \"properties\": {" + properties + "\n" + indent + "  }\n" + indent +
         "}";
}

std::string_view InWorkspace(KeyScope scope) {
  switch (scope) {
    case KeyScope::kOperator: return "no";
    case KeyScope::kBoth: return "yes";
    case KeyScope::kBothIfTrue: return "only `true`";
  }
  return "no";
}

std::string Rows(std::span<const KeyDeclaration> keys) {
  std::string rows =
      "| key | type | without it | in a workspace's file | meaning |\n|---|---|---|---|---|\n";
  for (const KeyDeclaration& key : keys) {
    rows += "| `" + std::string(key.name) + "` | " + std::string(TypeName(key.type)) + " | " +
            std::string(key.fallback) + " | " + std::string(InWorkspace(key.scope)) + " | " +
            std::string(key.description);
    for (std::size_t i = 0; i < key.allowed.size(); ++i) {
      rows += (i == 0 ? " One of `" : ", `") + std::string(key.allowed[i]) + "`";
    }
    rows += key.allowed.empty() ? " |\n" : ". |\n";
  }
  return rows;
}

}  // namespace

std::span<const KeyDeclaration> ConfigKeys() { return kConfigKeys; }
std::span<const KeyDeclaration> DenyKeys() { return kDenyKeys; }
std::span<const KeyDeclaration> ToolKeys() { return kToolKeys; }
std::span<const KeyDeclaration> CommandKeys() { return kCommandKeys; }
std::span<const KeyDeclaration> ItemKeys(std::string_view name) {
  if (name == "deny") return DenyKeys();
  return name == "tool" ? ToolKeys() : CommandKeys();
}

std::string_view TypeName(KeyType type) {
  switch (type) {
    case KeyType::kString: return "a string";
    case KeyType::kBoolean: return "true or false";
    case KeyType::kStringArray: return "an array of strings";
    case KeyType::kTableArray: return "an array of tables";
  }
  return "";
}

std::string ConfigSchema() {
  std::string schema = ObjectSchema(ConfigKeys(), "");
  schema.insert(2,
                "  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
                "  \"title\": \"Configuration of Cordon\",\n");
  return schema + "\n";
}

std::string ConfigReference() {
  return Rows(ConfigKeys()) + "\nIn each `[[deny]]`:\n\n" + Rows(DenyKeys()) +
         "\nIn each `[[tool]]`:\n\n" + Rows(ToolKeys()) + "\nIn each `[[command]]`:\n\n" +
         Rows(CommandKeys());
}

}  // namespace cordon::policy
