#include "confine/visibility.h"

#include <utility>

#include "platform/name_rules.h"

namespace cordon::confine {

path::NameRules NameRulesAt(const RootState& root, int directory) {
  return platform::NameRulesOf(directory) | root.options.assumed_name_rules;
}

Visibility::Visibility(const RootState& root, int directory, std::string path, Operation operation)
    : root_(root), directory_(directory), prefix_(std::move(path)), operation_(operation) {
  if (!prefix_.empty()) prefix_ += '/';
}

bool Visibility::Shows(std::string_view name) const {
  if (!root_.options.deny) return true;
  const std::string path = prefix_ + std::string(name);
  const auto verdict = root_.options.deny->Check(path, operation_);
  if (verdict.clear()) return true;
  if (verdict.denied) return false;
  const path::NameRules rules = NameRulesAt(root_, directory_);
  for (const auto& suspect : verdict.suspects) {
    if (Any(suspect.when & rules)) return false;
  }
  return true;
}

}  // namespace cordon::confine
