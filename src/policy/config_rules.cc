// The tables of a configuration file: [[deny]], [[tool]] and [[command]].
#include <algorithm>
#include <utility>

#include "base/printable.h"
#include "policy/config_reader.h"

namespace cordon::policy {

std::string ConfigReader::Origin(const toml::table& table) const {
  return std::string(file_name_) + ':' + std::to_string(table.source().begin.line);
}

void ConfigReader::CheckPattern(const toml::node& node, const std::string& pattern) {
  DenyRule rule;
  rule.pattern = pattern;
  const Result<DenyList> compiled = DenyList::Compile({std::move(rule)});
  if (!compiled) {
    Fail(node.source(), "pattern " + Quoted(pattern) + ": " + compiled.error().detail);
  }
}

void ConfigReader::CheckExceptions(const toml::node& node) {
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

DenyRule ConfigReader::ReadDenyRule(const toml::table& table) {
  DenyRule rule;
  rule.origin = Origin(table);
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

ToolRule ConfigReader::ReadToolRule(const toml::table& table) {
  ToolRule rule;
  rule.origin = Origin(table);
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

// A workspace's own rules only narrow.
CommandAction ConfigReader::ReadAction(const KeyDeclaration& key, const toml::node& node) {
  const CommandAction action =
      ParseCommandAction(Text(key, node).value_or("")).value_or(CommandAction::kDeny);
  if (scope_ == ConfigScope::kWorkspace && action == CommandAction::kAllow) {
    Fail(node.source(),
         "\"action\" cannot be \"allow\" here: a workspace's own file can only narrow");
  }
  return action;
}

CommandRule ConfigReader::ReadCommandRule(const toml::table& table) {
  CommandRule rule;
  rule.origin = Origin(table);
  for (const auto& [key, node] : table) {
    const KeyDeclaration* const known = Declared(key, CommandKeys(), " in \"[[command]]\"");
    if (known == nullptr || !HasType(*known, node)) continue;
    if (known->name == "action") {
      rule.action = ReadAction(*known, node);
    } else if (known->name == "arguments") {
      rule.arguments = Texts(*known, node);
    } else if (known->name == "program") {
      rule.program = Text(*known, node).value_or("");
    } else if (known->name == "host") {
      rule.host = Text(*known, node).value_or("");
    } else if (known->name == "writes") {
      rule.writes = Text(*known, node).value_or("");
    } else if (known->name == "risk") {
      rule.risk = ParseRisk(Text(*known, node).value_or(""));
    } else {
      rule.reason = Text(*known, node).value_or("");
    }
  }
  CheckRequired(table, "command");
  // What could not be read must not be said to be missing.
  if (!mistake_) CheckCommand(table, rule);
  return rule;
}

void ConfigReader::CheckCommand(const toml::table& table, const CommandRule& rule) {
  const Status checked = CheckCommandRule(rule);
  if (checked) return;
  const toml::node* const node = table.get(checked.error().component);
  Fail(node != nullptr ? node->source() : table.source(),
       "\"" + checked.error().component + "\": " + checked.error().detail);
}

void ConfigReader::CheckRequired(const toml::table& table, std::string_view of) {
  for (const KeyDeclaration& key : ItemKeys(of)) {
    if (!key.required || table.contains(key.name)) continue;
    Fail(table.source(), "this \"[[" + std::string(of) + "]]\" has no \"" + std::string(key.name) +
                             "\", which it must have");
  }
}

void ConfigReader::ReadTables(const KeyDeclaration& key, const toml::node& node) {
  for (const toml::node& element : *node.as_array()) {
    const toml::table* const table = element.as_table();
    if (table == nullptr) {
      Fail(element.source(), "an element of \"" + std::string(key.name) +
                                 "\" must be a table, not " + std::string(FoundType(element)));
      continue;
    }
    if (key.name == "deny") {
      config_.deny.push_back(ReadDenyRule(*table));
    } else if (key.name == "command") {
      config_.commands.push_back(ReadCommandRule(*table));
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

}  // namespace cordon::policy
