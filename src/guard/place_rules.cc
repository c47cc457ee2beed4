#include "guard/place_rules.h"

#include <string>
#include <string_view>
#include <utility>

#include "path/posix.h"
#include "policy/rules_below.h"

namespace cordon::guard {
namespace {

using policy::Zone;

// The way from `outer` down to `inner`; empty if it is no true ancestor.
std::string_view WayDown(const std::string& outer, const std::string& inner) {
  std::string_view rest;
  return path::StripRoot(inner, outer, rest) ? rest : std::string_view();
}

// A pattern that matches `below` alone, anchored at the root.
std::string AnchoredPattern(std::string_view below) {
  std::string pattern = "/";
  for (const char c : below) {
    if (c == '*' || c == '?' || c == '[' || c == ']' || c == '\\') pattern += '\\';
    pattern += c;
  }
  return pattern;
}

policy::OperationSet ChangingOperations() {
  policy::OperationSet operations = policy::AllOperations();
  for (const Operation operation : {Operation::kRead, Operation::kList, Operation::kStat}) {
    operations.reset(static_cast<std::size_t>(operation));
  }
  return operations;
}

// The shared rules that are anchored at the place `below`, said from further up.
void AddAnchoredBelow(std::string_view below, const std::vector<policy::DenyRule>& shared,
                      std::vector<policy::DenyRule>& rules) {
  for (policy::DenyRule rule : shared) {
    const bool anchored = rule.pattern.find('/') != std::string::npos;
    if (!anchored || rule.pattern.starts_with("**/")) continue;  // those hold anywhere
    const std::size_t start = rule.pattern.front() == '/' ? 1 : 0;
    rule.pattern = AnchoredPattern(below) + "/" + rule.pattern.substr(start);
    rules.push_back(std::move(rule));
  }
}

}  // namespace

policy::DenyRule WorkspaceFileRule() {
  policy::DenyRule rule;
  rule.pattern = "/.cordon.toml";
  rule.operations = ChangingOperations();
  rule.reason = "it holds the workspace's own rules";
  rule.origin = "boundary";
  return rule;
}

policy::DenyRule LeftOutRule(const std::string& place) {
  policy::DenyRule rule;
  rule.pattern = AnchoredPattern(std::string_view(place).substr(1));
  rule.reason = "the client's roots leave it out";
  rule.origin = "client-roots";
  return rule;
}

std::vector<policy::DenyRule> RulesForNested(const std::string& outer,
                                             const std::vector<Boundary::Place>& places,
                                             const policy::Settings& settings) {
  const policy::DataDirectory data = policy::RulesOf(settings.profile).data_directory;
  std::vector<policy::DenyRule> rules;
  for (const Boundary::Place& place : places) {
    const std::string_view below = WayDown(outer, place.root->real_path());
    if (below.empty()) continue;
    AddAnchoredBelow(below, settings.deny, rules);
    policy::DenyRule rule;
    rule.pattern = AnchoredPattern(below);
    if (place.zone == Zone::kReadOnlyRoot) {
      rule.operations = ChangingOperations();
      rule.reason = "configured as read-only";
      rule.origin = "read-only-root";
    } else if (place.zone == Zone::kDataDirectory && data == policy::DataDirectory::kNotForAgents) {
      rule.reason = "the data directory is not for agents";
      rule.origin = "data-dir";
    } else {
      continue;
    }
    rules.push_back(std::move(rule));
  }
  for (const policy::Protected& own : settings.own) {
    const std::string_view below = WayDown(outer, own.path);
    if (below.empty()) continue;
    policy::DenyRule rule;
    rule.pattern = AnchoredPattern(below);
    if (own.names == policy::Protected::Names::kBeginningWith) rule.pattern += '*';
    if (own.from == policy::Protected::From::kChanges) rule.operations = ChangingOperations();
    rule.reason = "it holds what guards the agent";
    rule.origin = "boundary";
    rules.push_back(std::move(rule));
  }
  return rules;
}

std::vector<policy::DenyRule> RulesFromAround(const std::string& inner,
                                              const std::vector<Boundary::Place>& places,
                                              const policy::Settings& settings) {
  std::vector<policy::DenyRule> rules;
  for (const Boundary::Place& outer : places) {
    const std::string_view way = WayDown(outer.root->real_path(), inner);
    if (way.empty()) continue;
    for (policy::DenyRule& rule : policy::RulesBelow(settings.deny, way)) {
      // Those that hold anywhere are in every place's list already.
      const bool anywhere = rule.pattern.find('/') == std::string::npos && rule.pattern != "*";
      if (!anywhere) rules.push_back(std::move(rule));
    }
  }
  return rules;
}

}  // namespace cordon::guard
