#include "policy/config.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/printable.h"
#include "base/unicode.h"
#include "policy/config_keys.h"
#include "policy/config_words.h"
#include "policy/toml.h"

namespace cordon::policy {
namespace {

std::vector<std::string_view> NamesOf(std::span<const KeyDeclaration> keys) {
  std::vector<std::string_view> names;
  for (const KeyDeclaration& key : keys) names.push_back(key.name);
  return names;
}

std::string_view FoundType(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table: return "a table";
    case toml::node_type::array: return "an array";
    case toml::node_type::string: return "a string";
    case toml::node_type::integer: return "an integer";
    case toml::node_type::floating_point: return "a number";
    case toml::node_type::boolean: return "a boolean";
    case toml::node_type::date: return "a date";
    case toml::node_type::time: return "a time";
    case toml::node_type::date_time: return "a date and time";
    case toml::node_type::none: break;
  }
  return "nothing";
}

// Reads one file and keeps the first mistake in it.
class Reader {
 public:
  Reader(std::string_view file_name, ConfigScope scope) : file_name_(file_name), scope_(scope) {}

  Result<Config> Read(std::string_view text);

 private:
  void Fail(const toml::source_region& where, std::string message);
  std::string Position(const toml::source_position& at) const;
  bool CheckEncoding(std::string_view text);

  // The declaration of `key`, if it is one that may stand here.
  const KeyDeclaration* Declared(const toml::key& key, std::span<const KeyDeclaration> keys,
                                 std::string_view place);
  bool HasType(const KeyDeclaration& key, const toml::node& node);
  std::optional<std::string> Text(const KeyDeclaration& key, const toml::node& node);
  std::vector<std::string> Texts(const KeyDeclaration& key, const toml::node& node);
  void ReadKey(const KeyDeclaration& key, const toml::node& node);
  void ReadTables(const KeyDeclaration& key, const toml::node& node);
  DenyRule ReadDenyRule(const toml::table& table);
  ToolRule ReadToolRule(const toml::table& table);
  void CheckRequired(const toml::table& table, std::string_view of);
  void CheckPattern(const toml::node& node, const std::string& pattern);
  void CheckExceptions(const toml::node& node);

  std::string_view file_name_;
  ConfigScope scope_;
  Config config_;
  toml::source_position first_;
  std::optional<std::string> mistake_;
};

std::string Reader::Position(const toml::source_position& at) const {
  return std::string(file_name_) + ':' + std::to_string(at.line) + ':' + std::to_string(at.column);
}

void Reader::Fail(const toml::source_region& where, std::string message) {
  toml::source_position at = where.begin;
  at.line = std::max<toml::source_index>(at.line, 1);
  at.column = std::max<toml::source_index>(at.column, 1);
  if (mistake_ && !(at < first_)) return;
  first_ = at;
  mistake_ = std::move(message);
}

const KeyDeclaration* Reader::Declared(const toml::key& key, std::span<const KeyDeclaration> keys,
                                       std::string_view place) {
  const auto found = std::find_if(keys.begin(), keys.end(),
                                  [&](const auto& known) { return known.name == key.str(); });
  if (found == keys.end()) {
    const std::vector<std::string_view> names = NamesOf(keys);
    std::string message = "unknown key " + Quoted(key.str()) + std::string(place);
    message += Suggestion(key.str(), names);
    Fail(key.source(), message + " Known are " + Listed(names));
    return nullptr;
  }
  if (scope_ == ConfigScope::kWorkspace && found->scope == KeyScope::kOperator) {
    Fail(key.source(), "\"" + std::string(found->name) +
                           "\" cannot be set here: a workspace's own file can only narrow, by "
                           "\"profile\", \"read_only = true\", \"[[deny]]\" and \"[[tool]]\"");
    return nullptr;
  }
  return &*found;
}

bool Reader::HasType(const KeyDeclaration& key, const toml::node& node) {
  const bool fits = (key.type == KeyType::kString && node.is_string()) ||
                    (key.type == KeyType::kBoolean && node.is_boolean()) ||
                    (key.type == KeyType::kStringArray && node.is_array()) ||
                    (key.type == KeyType::kTableArray && node.is_array());
  if (fits) return true;
  std::string message = "\"" + std::string(key.name) + "\" must be " +
                        std::string(TypeName(key.type)) + ", not " + std::string(FoundType(node));
  if (key.type == KeyType::kTableArray) message += "; write \"[[" + std::string(key.name) + "]]\"";
  Fail(node.source(), std::move(message));
  return false;
}

// One text: the value of `key`, or an element of it.
std::optional<std::string> Reader::Text(const KeyDeclaration& key, const toml::node& node) {
  const std::string name = "\"" + std::string(key.name) + "\"";
  const toml::value<std::string>* const value = node.as_string();
  if (value == nullptr) {
    Fail(node.source(),
         "an element of " + name + " must be a string, not " + std::string(FoundType(node)));
    return std::nullopt;
  }
  const std::string& text = value->get();
  if (text.empty()) {
    Fail(node.source(), "an empty string in " + name + "; give a value or leave it out");
    return std::nullopt;
  }
  if (text.find('\0') != std::string::npos) {
    Fail(node.source(), "a NUL character in " + name + "; remove it");
    return std::nullopt;
  }
  if (!key.allowed.empty() &&
      std::find(key.allowed.begin(), key.allowed.end(), text) == key.allowed.end()) {
    Fail(node.source(), Quoted(text) + " is not a value of " + name + ", which are " +
                            Listed(key.allowed) + Suggestion(text, key.allowed));
    return std::nullopt;
  }
  return text;
}

std::vector<std::string> Reader::Texts(const KeyDeclaration& key, const toml::node& node) {
  std::vector<std::string> texts;
  const toml::array& array = *node.as_array();
  if (array.empty() && key.non_empty) {
    Fail(node.source(),
         "\"" + std::string(key.name) + "\" is empty; give an element or leave the key out");
  }
  std::set<std::string> seen;
  for (const toml::node& element : array) {
    std::optional<std::string> text = Text(key, element);
    if (!text) continue;
    if (!seen.insert(*text).second) {
      Fail(element.source(),
           Quoted(*text) + " stands twice in \"" + std::string(key.name) + "\"; remove one");
      continue;
    }
    texts.push_back(std::move(*text));
  }
  return texts;
}

void Reader::CheckPattern(const toml::node& node, const std::string& pattern) {
  DenyRule rule;
  rule.pattern = pattern;
  const Result<DenyList> compiled = DenyList::Compile({std::move(rule)});
  if (!compiled) {
    Fail(node.source(), "pattern " + Quoted(pattern) + ": " + compiled.error().detail);
  }
}

void Reader::CheckExceptions(const toml::node& node) {
  for (const toml::node& element : *node.as_array()) {
    if (!element.is_string()) continue;  // reported already
    DenyRule rule;
    rule.pattern = "*";
    rule.except = {element.as_string()->get()};
    const Result<DenyList> compiled = DenyList::Compile({std::move(rule)});
    if (!compiled) {
      Fail(element.source(),
           Quoted(element.as_string()->get()) + " in \"except\": " + compiled.error().detail);
    }
  }
}

DenyRule Reader::ReadDenyRule(const toml::table& table) {
  DenyRule rule;
  rule.origin = std::string(file_name_) + ':' + std::to_string(table.source().begin.line);
  for (const auto& [key, node] : table) {
    const KeyDeclaration* const known = Declared(key, DenyKeys(), " in \"[[deny]]\"");
    if (known == nullptr || !HasType(*known, node)) continue;
    if (known->name == "pattern") {
      rule.pattern = Text(*known, node).value_or("");
      if (!rule.pattern.empty()) CheckPattern(node, rule.pattern);
    } else if (known->name == "operations") {
      rule.operations.reset();
      for (const std::string& name : Texts(*known, node)) {
        if (const std::optional<Operation> operation = ParseOperation(name)) {
          rule.operations.set(static_cast<std::size_t>(*operation));
        }
      }
    } else if (known->name == "except") {
      rule.except = Texts(*known, node);
      CheckExceptions(node);
    } else {
      rule.reason = Text(*known, node).value_or("");
    }
  }
  CheckRequired(table, "deny");
  return rule;
}

ToolRule Reader::ReadToolRule(const toml::table& table) {
  ToolRule rule;
  rule.origin = std::string(file_name_) + ':' + std::to_string(table.source().begin.line);
  for (const auto& [key, node] : table) {
    const KeyDeclaration* const known = Declared(key, ToolKeys(), " in \"[[tool]]\"");
    if (known == nullptr || !HasType(*known, node)) continue;
    const std::string text = Text(*known, node).value_or("");
    if (known->name == "name") {
      rule.name = text;
    } else {
      rule.level = ParseToolLevel(text).value_or(ToolLevel::kDeny);
    }
  }
  CheckRequired(table, "tool");
  return rule;
}

void Reader::CheckRequired(const toml::table& table, std::string_view of) {
  for (const KeyDeclaration& key : ItemKeys(of)) {
    if (!key.required || table.contains(key.name)) continue;
    Fail(table.source(), "this \"[[" + std::string(of) + "]]\" has no \"" + std::string(key.name) +
                             "\", which it must have");
  }
}

void Reader::ReadTables(const KeyDeclaration& key, const toml::node& node) {
  for (const toml::node& element : *node.as_array()) {
    const toml::table* const table = element.as_table();
    if (table == nullptr) {
      Fail(element.source(), "an element of \"" + std::string(key.name) +
                                 "\" must be a table, not " + std::string(FoundType(element)));
      continue;
    }
    if (key.name == "deny") {
      config_.deny.push_back(ReadDenyRule(*table));
    } else {
      ToolRule rule = ReadToolRule(*table);
      const auto same = [&](const ToolRule& other) { return other.name == rule.name; };
      if (std::any_of(config_.tools.begin(), config_.tools.end(), same)) {
        Fail(table->source(), "a second \"[[tool]]\" for " + Quoted(rule.name) + "; remove one");
      }
      config_.tools.push_back(std::move(rule));
    }
  }
}

void Reader::ReadKey(const KeyDeclaration& key, const toml::node& node) {
  if (key.name == "profile") {
    if (const std::optional<std::string> text = Text(key, node)) {
      config_.profile = ParseProfile(*text);
      config_.profile_position = Position(node.source().begin);
    }
  } else if (key.name == "roots") {
    config_.roots = Texts(key, node);
  } else if (key.name == "read_only_roots") {
    config_.read_only_roots = Texts(key, node);
  } else if (key.name == "data_dir") {
    config_.data_dir = Text(key, node);
    if (config_.data_dir && !config_.data_dir->starts_with('/')) {
      Fail(node.source(), "\"data_dir\" must be an absolute path, not " +
                              Quoted(*config_.data_dir) + ", which depends on where one starts");
    }
  } else if (key.name == "deny_sets") {
    config_.deny_sets = Texts(key, node);
  } else if (key.name == "read_only") {
    config_.read_only = node.as_boolean()->get();
    if (scope_ == ConfigScope::kWorkspace && !*config_.read_only) {
      Fail(node.source(),
           "\"read_only\" can only be true here: a workspace's own file can only narrow");
    }
  } else {
    ReadTables(key, node);
  }
}

// Told apart from other mistakes because the parser is a column off with it.
bool Reader::CheckEncoding(std::string_view text) {
  toml::source_region at{{1, 1}, {1, 1}, nullptr};
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  while (!text.empty()) {
    const unicode::Decoded next = unicode::DecodeFirst(text);
    if (!next.valid) {
      Fail(at, "a byte that is not UTF-8; save the file as UTF-8");
      return false;
    }
    ++at.begin.column;
    if (next.code_point == U'\n') at.begin = {at.begin.line + 1, 1};
    text.remove_prefix(next.length);
  }
  return true;
}

Result<Config> Reader::Read(std::string_view text) {
  const bool readable = CheckEncoding(text);
  const toml::parse_result parsed = toml::parse(readable ? text : "", std::string_view());
  if (!parsed) {
    Fail(parsed.error().source(), Printable(parsed.error().description()));
  } else {
    for (const auto& [key, node] : parsed.table()) {
      const KeyDeclaration* const known = Declared(key, ConfigKeys(), "");
      if (known != nullptr && HasType(*known, node)) ReadKey(*known, node);
    }
  }
  if (!mistake_) return std::move(config_);
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "read configuration";
  error.detail = Position(first_) + ": " + *mistake_;
  return error;
}

}  // namespace

Result<Config> ParseConfig(std::string_view toml, std::string_view file_name, ConfigScope scope) {
  return Reader(file_name, scope).Read(toml);
}

}  // namespace cordon::policy
