#include "policy/rules_below.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "path/posix.h"
#include "policy/pattern.h"

namespace cordon::policy {
namespace {

bool MayMatch(std::string_view pattern, std::string_view name,
              const std::vector<std::string>& except) {
  const Result<NamePattern> compiled = NamePattern::Compile(pattern);
  if (!compiled) return true;  // what cannot be read is taken to match
  if (compiled->Matches(name)) {
    return std::find(except.begin(), except.end(), name) == except.end();
  }
  KeyedName keyed(name);
  return compiled->MayAlias(keyed, LookOf(name), except) != path::NameRules::kExact;
}

std::vector<std::string_view> Parts(std::string_view text) {
  std::vector<std::string_view> parts;
  path::Components components(text);
  for (auto part = components.Next(); !part.empty(); part = components.Next()) {
    parts.push_back(part);
  }
  return parts;
}

// How far an anchored pattern has come: the elements that may be next.
class Reading {
 public:
  explicit Reading(const DenyRule& rule)
      : rule_(rule), elements_(Parts(rule.pattern)), next_(Close({0})) {}

  void Take(std::string_view name) {
    std::set<std::size_t> after;
    for (const std::size_t at : next_) {
      if (IsAnyDepth(at)) {
        after.insert(at);
        continue;
      }
      const bool last = at + 1 == elements_.size();
      // An exception frees the entry that the pattern names, which is the last one.
      if (!MayMatch(elements_[at], name, last ? rule_.except : std::vector<std::string>()))
        continue;
      if (last) {
        covered_ = true;
      } else {
        after.insert(at + 1);
      }
    }
    next_ = Close(std::move(after));
  }

  bool covered() const { return covered_; }

  std::vector<std::string> Rest() const {
    std::vector<std::string> patterns;
    for (const std::size_t at : next_) {
      std::string pattern;
      for (std::size_t i = at; i < elements_.size(); ++i) {
        pattern += '/';
        pattern += elements_[i];
      }
      patterns.push_back(std::move(pattern));
    }
    return patterns;
  }

 private:
  bool IsAnyDepth(std::size_t at) const {
    return elements_[at] == "**" && at + 1 < elements_.size();
  }
  std::set<std::size_t> Close(std::set<std::size_t> states) const {
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      if (states.contains(i) && IsAnyDepth(i)) states.insert(i + 1);
    }
    return states;
  }

  const DenyRule& rule_;
  std::vector<std::string_view> elements_;
  std::set<std::size_t> next_;
  bool covered_ = false;
};

DenyRule CoveringAll(DenyRule rule) {
  rule.pattern = "*";
  rule.except.clear();
  return rule;
}

}  // namespace

std::vector<DenyRule> RulesBelow(std::span<const DenyRule> rules, std::string_view way) {
  const std::vector<std::string_view> names = Parts(way);
  std::vector<DenyRule> below;
  for (const DenyRule& rule : rules) {
    if (rule.pattern.find('/') == std::string::npos) {
      const bool covered = std::any_of(names.begin(), names.end(), [&](std::string_view name) {
        return MayMatch(rule.pattern, name, rule.except);
      });
      below.push_back(covered ? CoveringAll(rule) : rule);
      continue;
    }
    Reading reading(rule);
    for (const std::string_view name : names) reading.Take(name);
    if (reading.covered()) {
      below.push_back(CoveringAll(rule));
      continue;
    }
    for (std::string& pattern : reading.Rest()) {
      DenyRule rest = rule;
      rest.pattern = std::move(pattern);
      below.push_back(std::move(rest));
    }
  }
  return below;
}

}  // namespace cordon::policy
