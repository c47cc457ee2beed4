#include "policy/config.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/printable.h"
#include "base/unicode.h"
#include "policy/config_reader.h"
#include "policy/config_words.h"

namespace cordon::policy {
namespace {

std::vector<std::string_view> NamesOf(std::span<const KeyDeclaration> keys) {
  std::vector<std::string_view> names;
  for (const KeyDeclaration& key : keys) names.push_back(key.name);
  return names;
}

}  // namespace

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

std::string ConfigReader::Position(const toml::source_position& at) const {
  return std::string(file_name_) + ':' + std::to_string(at.line) + ':' + std::to_string(at.column);
}

void ConfigReader::Fail(const toml::source_region& where, std::string message) {
  toml::source_position at = where.begin;
  at.line = std::max<toml::source_index>(at.line, 1);
  at.column = std::max<toml::source_index>(at.column, 1);
  if (mistake_ && !(at < first_)) return;
  first_ = at;
  mistake_ = std::move(message);
}

const KeyDeclaration* ConfigReader::Declared(const toml::key& key,
                                             std::span<const KeyDeclaration> keys,
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
                           "\"profile\", \"read_only = true\", \"[[deny]]\", \"[[tool]]\" and "
                           "\"[[command]]\"");
    return nullptr;
  }
  return &*found;
}

bool ConfigReader::HasType(const KeyDeclaration& key, const toml::node& node) {
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
std::optional<std::string> ConfigReader::Text(const KeyDeclaration& key, const toml::node& node) {
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

std::vector<std::string> ConfigReader::Texts(const KeyDeclaration& key, const toml::node& node) {
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

void ConfigReader::ReadKey(const KeyDeclaration& key, const toml::node& node) {
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
bool ConfigReader::CheckEncoding(std::string_view text) {
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

Result<Config> ConfigReader::Read(std::string_view text) {
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

Result<Config> ParseConfig(std::string_view toml, std::string_view file_name, ConfigScope scope) {
  return ConfigReader(file_name, scope).Read(toml);
}

}  // namespace cordon::policy
