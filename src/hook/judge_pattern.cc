// Globs: what they could match is held against the rules.
#include <string>
#include <utility>
#include <vector>

#include "hook/glob.h"
#include "hook/judge.h"

namespace cordon::hook {
namespace {

Error CoveredBy(const policy::DenyRule& rule, std::string detail) {
  Error error;
  error.code = ErrorCode::kPathDenied;
  error.violation = Violation::kDenylist;
  error.op = "hook";
  error.rule = "deny:" + rule.pattern;
  error.detail = std::move(detail);
  return error;
}

// What a search does without a filter, too.
bool PicksEverything(std::string_view glob) {
  return glob.ends_with("/*") || glob.ends_with("/**");
}

}  // namespace

Verdict Judge::JudgePattern(const Named& named, const std::string& absolute) {
  const std::string fixed(FixedPart(absolute));
  Named directory = named;
  directory.operation = Operation::kList;
  Verdict verdict = JudgeBothReadings(directory, fixed.empty() ? "/" : fixed);
  if (verdict.answer == Answer::kDeny) return verdict;
  // Whether anything there may be changed: some name stands for those that match.
  if (!IsReadOnly(named.operation)) verdict.Add(JudgeBothReadings(named, fixed + "/x"));
  if (verdict.answer == Answer::kDeny) return verdict;
  verdict.Add(JudgeMatches(named, absolute, Dots::kWrittenOut));
  return verdict;
}

Verdict Judge::JudgeMatches(const Named& named, const std::string& absolute, Dots dots) {
  const guard::Boundary::Located located = parts_.boundary.Locate(absolute);
  if (located.root == nullptr) return {};
  const auto index = static_cast<std::size_t>(named.operation);
  for (const policy::DenyRule& rule : located.root->options().deny->rules()) {
    if (!rule.operations.test(index) || !MayName(located.below, rule, dots)) continue;
    const guard::Call call = CallOf(named);
    return Refused(ActOf(call, named),
                   CoveredBy(rule, "the pattern could match what a deny rule covers"),
                   "Name the files you mean instead.");
  }
  return {};
}

Verdict Judge::JudgeToolGlob(const PathUse& use, const Named& named, const std::string& absolute) {
  const std::optional<std::vector<std::string>> globs = Alternatives(absolute);
  if (!globs) {
    return Whole(Answer::kDeny, use.path, "hook",
                 "Cordon: this pattern has too many alternatives to be judged. Name the files "
                 "you mean instead.");
  }
  Verdict verdict;
  for (const std::string& glob : *globs) {
    if (verdict.answer == Answer::kDeny) return verdict;
    if (use.form == PathUse::Form::kFilter) {
      if (!PicksEverything(glob)) verdict.Add(JudgeMatches(named, glob, Dots::kMatched));
      continue;
    }
    verdict.Add(JudgePattern(named, glob));
    if (!HasWildcard(glob)) verdict.Add(JudgeBothReadings(named, glob));
    // To list is to tell names. Who reads gets what is there, names with dots included.
    if (named.operation != Operation::kRead || !HasWildcard(glob)) continue;
    const std::string fixed(FixedPart(glob));
    if (TreeHoldsDenied(fixed.empty() ? "/" : fixed)) {
      verdict.Add(JudgeMatches(named, glob, Dots::kMatched));
    }
  }
  return verdict;
}

// Whether something below is denied, a ".git" aside; also if that cannot be found out.
bool Judge::TreeHoldsDenied(const std::string& absolute) const {
  const guard::Boundary::Located located = parts_.in_git.Locate(absolute);
  if (located.root == nullptr) return true;
  const auto found = located.root->Probe(located.path, Operation::kDelete);
  if (!found) return found.error().code != ErrorCode::kNotFound;
  if (!found->exists) return false;
  confine::WalkLimits limits;
  limits.max_entries = 100'000;
  const Status walked = located.root->WalkProbed(
      *found, limits, [](const confine::ProbedEntry&) { return Status(); });
  return !walked;
}

Verdict Judge::JudgeNames(const Named& named) {
  const policy::DenyList& rules = parts_.boundary.deny_list();
  const auto found = rules.Check(named.asked, named.operation);
  // A rule for a place says nothing of a place that is not known.
  if (!found.denied || found.denied->rule->pattern.find('/') != std::string::npos) return {};
  if (found.denied->rule->pattern == ".git") return {};
  const guard::Call call = CallOf(named);
  return Refused(ActOf(call, named),
                 CoveredBy(*found.denied->rule, "a deny rule covers this name wherever it is"));
}

}  // namespace cordon::hook
