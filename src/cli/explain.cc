#include "cli/explain.h"

#include <algorithm>

#include "path/posix.h"
#include "policy/profile.h"

namespace cordon::cli {
namespace {

using confine::FinalSymlink;
using platform::FileStat;
using platform::FileType;

std::vector<std::string> Split(std::string_view text) {
  std::vector<std::string> parts;
  path::Components components(text);
  for (std::string_view part = components.Next(); !part.empty(); part = components.Next()) {
    parts.emplace_back(part);
  }
  return parts;
}

std::string Join(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += '/';
    text += part;
  }
  return text;
}

ComponentKind KindOfError(const Error& error) {
  switch (error.code) {
    case ErrorCode::kNotFound: return ComponentKind::kMissing;
    case ErrorCode::kPathDenied: return ComponentKind::kDenied;
    default: return ComponentKind::kRefused;
  }
}

void DescribeLink(const confine::Root& root, const std::string& prefix, ComponentFact& fact) {
  const Result<FileStat> target = root.Stat(prefix, FinalSymlink::kFollow);
  const ErrorCode code = target ? ErrorCode::kNotFound : target.error().code;
  if (code == ErrorCode::kPathOutsideProject) {
    fact.kind = ComponentKind::kLinkOutside;
    return;
  }
  if (code == ErrorCode::kPathDenied) {
    fact.kind = ComponentKind::kLinkDenied;
    return;
  }
  if (!target && code != ErrorCode::kNotFound) {
    fact.kind = ComponentKind::kRefused;
    fact.error = target.error();
    return;
  }
  // The text may lead outside on its way although it ends inside.
  const Result<std::string> text = root.ReadLink(prefix);
  if (!text) {
    fact.kind = text.error().code == ErrorCode::kPathDenied ? ComponentKind::kLinkDenied
                                                            : ComponentKind::kLinkOutside;
    return;
  }
  fact.kind = target ? ComponentKind::kLinkInside : ComponentKind::kLinkDangling;
  if (target) fact.type = target->type;
  fact.link_text = *text;
}

// True while the way goes on behind this component.
bool Passable(ComponentKind kind) {
  return kind == ComponentKind::kEntry || kind == ComponentKind::kLinkInside;
}

void DescribeComponents(const confine::Root& root, const std::vector<std::string>& parts,
                        Explanation& explanation) {
  std::string prefix;
  bool reached = true;
  for (const std::string& part : parts) {
    if (explanation.components.size() == kMaxExplainedComponents) {
      explanation.components_left_out = parts.size() - kMaxExplainedComponents;
      return;
    }
    ComponentFact fact;
    fact.name = part;
    if (!prefix.empty()) prefix += '/';
    prefix += part;
    if (reached) {
      const Result<FileStat> stat = root.Stat(prefix, FinalSymlink::kNoFollow);
      if (!stat) {
        fact.kind = KindOfError(stat.error());
        if (fact.kind == ComponentKind::kRefused) fact.error = stat.error();
      } else if (stat->type == FileType::kSymlink) {
        DescribeLink(root, prefix, fact);
      } else {
        fact.kind = ComponentKind::kEntry;
        fact.type = stat->type;
      }
      reached = Passable(fact.kind);
    }
    explanation.components.push_back(std::move(fact));
  }
}

const policy::DenyRule* RuleNamed(const policy::DenyList& deny, std::string_view rule) {
  constexpr std::string_view kPrefix = "deny:";
  if (!rule.starts_with(kPrefix)) return nullptr;
  rule.remove_prefix(kPrefix.size());
  for (const policy::DenyRule& known : deny.rules()) {
    if (known.pattern == rule) return &known;
  }
  return nullptr;
}

// The rule that covers `text` on volumes that compare names by `rules`.
std::optional<policy::DenyList::Match> CoveringMatch(const policy::DenyList& deny,
                                                     std::string_view text, Operation operation,
                                                     path::NameRules rules) {
  policy::DenyList::Verdict verdict = deny.Check(text, operation);
  if (verdict.denied) return verdict.denied;
  for (const policy::DenyList::Match& suspect : verdict.suspects) {
    if (path::Any(suspect.when & rules)) return suspect;
  }
  return std::nullopt;
}

bool HasLink(const Explanation& explanation) {
  return std::any_of(
      explanation.components.begin(), explanation.components.end(),
      [](const ComponentFact& fact) { return fact.kind == ComponentKind::kLinkInside; });
}

void DescribeElsewhere(const policy::DenyList& deny, path::Grammar grammar,
                       const std::vector<std::string>& parts, Explanation& explanation) {
  OtherMeaning meaning;
  meaning.grammar = grammar;
  const bool parsed_here = !explanation.parse_error && explanation.root != nullptr;
  const std::string_view text = parsed_here ? explanation.below : explanation.path;
  if (parsed_here && text.empty()) return;  // the root is the root everywhere
  const Result<path::ParsedPath> parsed = path::Parse(grammar, text, {});
  if (!parsed) {
    if (!parsed_here) return;  // refused here and there
    meaning.error = parsed.error();
    explanation.elsewhere.push_back(std::move(meaning));
    return;
  }
  if (!parsed_here) return;  // refused here; what it would be there helps nobody
  meaning.path = Join(parsed->components);
  // Windows resolves ".." by text; that is another place only where links are.
  const bool same_text = parsed->components == parts;
  const bool same_collapsed =
      parsed->components == Split(path::CollapseLexically(explanation.below));
  bool differs = !same_text && (!same_collapsed || HasLink(explanation));
  const auto match =
      CoveringMatch(deny, meaning.path, explanation.operation, path::DefaultNameRules(grammar));
  if (match && explanation.deny_rule == nullptr) {
    meaning.rule = match->rule;
    meaning.rule_component = match->name;
    differs = true;
  }
  if (differs) explanation.elsewhere.push_back(std::move(meaning));
}

void ParseHere(const guard::Boundary::Located& located, Explanation& explanation) {
  explanation.zone = located.zone;
  explanation.root = located.root;
  static const std::vector<std::string> kNone;
  const Result<path::Request> request =
      path::ParsePosix(located.root != nullptr ? located.path : std::string_view(explanation.path),
                       located.root != nullptr ? located.root->spellings() : kNone);
  if (!request) {
    explanation.parse_error = request.error();
    return;
  }
  explanation.below = request->text;
  explanation.must_be_directory = request->must_be_directory;
}

}  // namespace

Explanation Explain(const guard::Boundary& boundary, Operation operation, std::string_view path) {
  Explanation explanation;
  explanation.operation = operation;
  explanation.path = path;
  explanation.absolute = path.starts_with('/');
  ParseHere(boundary.Locate(explanation.path), explanation);
  explanation.decision = boundary.Decide(policy::Subject::kAgent, operation, explanation.path);
  explanation.verdict = Judge(boundary, operation, explanation.path);

  // Each root has the common rules, and those that other places inside it add.
  const policy::DenyList& deny =
      explanation.root != nullptr && explanation.root->options().deny != nullptr
          ? *explanation.root->options().deny
          : boundary.deny_list();
  const std::vector<std::string> parts = Split(explanation.below);
  if (explanation.root != nullptr && !explanation.parse_error) {
    DescribeComponents(*explanation.root, parts, explanation);
    const policy::DenyList::Verdict named = deny.Check(explanation.below, operation);
    if (named.denied) {
      explanation.deny_rule = named.denied->rule;
      if (named.denied->component < explanation.components.size()) {
        explanation.components[named.denied->component].rule = named.denied->rule;
      }
    }
  }
  if (explanation.deny_rule == nullptr && !explanation.verdict) {
    explanation.deny_rule = RuleNamed(deny, explanation.verdict.error().rule);
  }
  for (const path::Grammar grammar : {path::Grammar::kWindows, path::Grammar::kMacos}) {
    DescribeElsewhere(deny, grammar, parts, explanation);
  }
  return explanation;
}

}  // namespace cordon::cli
