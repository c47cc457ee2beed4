// Reads one configuration file; for config.cc and config_rules.cc only.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policy/config.h"
#include "policy/config_keys.h"
#include "policy/toml.h"

namespace cordon::policy {

std::string_view FoundType(const toml::node& node);  // "a table", "an integer", ...

// Reads one file and keeps the first mistake in it.
class ConfigReader {
 public:
  ConfigReader(std::string_view file_name, ConfigScope scope)
      : file_name_(file_name), scope_(scope) {}

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
  CommandRule ReadCommandRule(const toml::table& table);
  CommandAction ReadAction(const KeyDeclaration& key, const toml::node& node);
  void CheckCommand(const toml::table& table, const CommandRule& rule);
  std::string Origin(const toml::table& table) const;
  void CheckRequired(const toml::table& table, std::string_view of);
  void CheckPattern(const toml::node& node, const std::string& pattern);
  void CheckExceptions(const toml::node& node);

  std::string_view file_name_;
  ConfigScope scope_;
  Config config_;
  toml::source_position first_;
  std::optional<std::string> mistake_;
};

}  // namespace cordon::policy
