#include "policy/anchored_pattern.h"

#include <algorithm>
#include <optional>

namespace cordon::policy {
namespace {

using path::NameRules;

constexpr std::size_t kMaxElements = 60;  // fits Cursor::States

}  // namespace

Result<AnchoredPattern> AnchoredPattern::Compile(std::string_view text) {
  if (text.size() > kMaxPatternBytes) {
    return BadPattern(text.substr(0, 40),
                      "the pattern is longer than " + std::to_string(kMaxPatternBytes) + " bytes");
  }
  std::string_view rest = text;
  if (rest.starts_with('/')) rest.remove_prefix(1);
  if (rest.empty()) return BadPattern(text, "\"/\" names no entry; a root itself is not denied");
  if (rest.ends_with('/')) {
    return BadPattern(text,
                      "a pattern must not end in \"/\"; write \"name\" for that name anywhere or "
                      "\"/name\" for the one in the root");
  }
  AnchoredPattern pattern;
  for (bool more = true; more;) {
    const std::size_t slash = rest.find('/');
    more = slash != std::string_view::npos;
    const std::string_view part = rest.substr(0, slash);
    if (more) rest.remove_prefix(slash + 1);
    if (part.empty()) return BadPattern(text, "\"//\" leaves a name empty");
    if (part == "**" && more) {
      if (pattern.elements_.empty() || !pattern.elements_.back().any_depth) {
        pattern.elements_.emplace_back().any_depth = true;
      }
      continue;
    }
    Result<NamePattern> name = NamePattern::Compile(part);
    if (!name) return BadPattern(text, std::move(name.error().detail));
    pattern.elements_.push_back({false, std::move(*name)});
  }
  if (pattern.elements_.size() > kMaxElements) {
    return BadPattern(text.substr(0, 40),
                      "the pattern has more than " + std::to_string(kMaxElements) + " names");
  }
  return pattern;
}

AnchoredPattern::Cursor::Cursor(const AnchoredPattern& pattern, std::span<const std::string> except)
    : pattern_(&pattern), except_(except), exact_(Close(1)), any_(exact_) {}

AnchoredPattern::Cursor::States AnchoredPattern::Cursor::Close(States states) const {
  for (std::size_t i = 0; i < pattern_->elements_.size(); ++i) {
    if ((states >> i & 1) != 0 && pattern_->elements_[i].any_depth) states |= States{1} << (i + 1);
  }
  return states;
}

AnchoredPattern::Cursor::Step AnchoredPattern::Cursor::Next(const PathPart& part) {
  const std::vector<Element>& elements = pattern_->elements_;
  const States accepted = States{1} << elements.size();
  std::optional<KeyedName> keyed;
  NameRules alias = NameRules::kExact;
  States exact = 0;
  States any = 0;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const States here = States{1} << i;
    if ((any_ & here) == 0) continue;
    if (elements[i].any_depth) {
      exact |= exact_ & here;
      any |= here;
      continue;
    }
    const bool last = i + 1 == elements.size();
    if (elements[i].name.Matches(part.name)) {
      if (last && std::find(except_.begin(), except_.end(), part.name) != except_.end()) continue;
      if ((exact_ & here) != 0) exact |= here << 1;
      any |= here << 1;
    } else if (elements[i].name.WorthAliasing(part.name, part.look)) {
      if (!keyed) keyed.emplace(part.name);
      const std::span<const std::string> except = last ? except_ : std::span<const std::string>();
      const NameRules rules = elements[i].name.MayAlias(*keyed, part.look, except);
      if (path::Any(rules)) any |= here << 1;
      alias = alias | rules;
    }
  }
  if (path::Any(alias)) suspects_.emplace_back(part, alias);
  exact_ = Close(exact);
  any_ = Close(any);
  if ((exact_ & accepted) != 0) return Step::kCovered;
  if ((any_ & accepted) != 0) return Step::kSuspect;
  return any_ == 0 ? Step::kNever : Step::kGoOn;
}

const NamePattern& AnchoredPattern::NeededName() const {
  // "**" is never last and never twice in a row.
  return elements_.front().any_depth ? elements_[1].name : elements_.front().name;
}

bool AnchoredPattern::Cursor::CouldMatchBelow() const {
  States everywhere = 0;
  if (pattern_->elements_.front().any_depth) everywhere = Close(1);
  return (any_ & ~everywhere) != 0;
}

}  // namespace cordon::policy
