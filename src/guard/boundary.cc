#include "guard/boundary.h"

#include <utility>

#include "base/printable.h"
#include "base/try.h"
#include "confine/ambient_paths.h"
#include "guard/opener.h"
#include "guard/place_rules.h"
#include "path/posix.h"
#include "policy/rules_below.h"

namespace cordon::guard {
namespace {

using policy::Zone;

Error Refusal(ErrorCode code, std::string_view rule, std::string detail) {
  Error error;
  error.code = code;
  error.op = "admit";
  error.rule = rule;
  error.detail = std::move(detail);
  return error;
}

Error DeniedByList(const policy::Decision& decision, const policy::DenyList& deny,
                   Operation operation, std::string_view path) {
  Error error = Refusal(ErrorCode::kPathDenied, decision.rule, "a deny rule covers this path");
  error.violation = Violation::kDenylist;
  if (const auto verdict = deny.Check(path, operation); verdict.denied) {
    error.component = verdict.denied->name;
  }
  if (decision.deny_rule != nullptr) {
    error.rule = "deny:" + decision.deny_rule->pattern;
    if (!decision.deny_rule->reason.empty()) error.detail += ": " + decision.deny_rule->reason;
  }
  return error;
}

// Asking is refused like denying: whoever can ask looks at Decide first.
Error RefusalOf(const policy::Decision& decision, const policy::DenyList& deny, Operation operation,
                const Boundary::Located& located) {
  // Outside is outside, whatever names the path has.
  if (located.root == nullptr) {
    Error error = Refusal(ErrorCode::kPathOutsideProject, "boundary",
                          "an absolute path that is below no configured root");
    error.violation = Violation::kAbsolute;
    return error;
  }
  if (decision.rule == "deny-list") return DeniedByList(decision, deny, operation, located.below);
  if (located.zone == Zone::kReadOnlyRoot) {
    return Refusal(ErrorCode::kPathDenied, decision.rule, "this root is read-only");
  }
  return Refusal(ErrorCode::kPathDenied, decision.rule, "this place is not for agents");
}

}  // namespace

Result<Boundary> Boundary::Open(const policy::Settings& settings, confine::Resolver resolver,
                                confine::AmbientAuthority authority) {
  const bool off = settings.protection == policy::Protection::kOff;
  const policy::ProfileRules& rules = policy::RulesOf(settings.profile);
  policy::Settings held = settings;
  if (off) {
    held.deny.clear();
    held.read_only = false;
  } else {
    held.deny.push_back(WorkspaceFileRule());
  }
  // Under the name it is found by as well as under its real one: a link on the way
  // could be put elsewhere.
  for (std::size_t i = 0, given = held.own.size(); i < given; ++i) {
    policy::Protected real = held.own[i];
    held.own[i].path = "/" + path::CollapseLexically(real.path);
    real.path = confine::AmbientRealPath(real.path, authority);
    if (real.path != held.own[i].path) held.own.push_back(std::move(real));
  }
  Opener opener(held, resolver, authority);
  Boundary boundary;
  boundary.settings_ = settings;
  boundary.settings_.own = held.own;
  TRY_ASSIGN(boundary.places_, opener.OpenPlaces(boundary.warnings_));
  TRY_ASSIGN(boundary.deny_, opener.DenyListWith({}));
  TRY(CheckOutsideOwn(boundary.places_, held.own));
  if (off || rules.outside == policy::OutsideAccess::kAsk) {
    TRY_ASSIGN(boundary.outside_, opener.OpenOutside(boundary.places_));
    boundary.for_homes_ = authority;
    for (const Place& place : boundary.places_) boundary.kept_.push_back(place.root->real_path());
    for (const policy::Protected& own : held.own) {
      boundary.kept_.push_back(own.path);
    }
  }
  return boundary;
}

Result<Boundary> Boundary::OpenElsewhere(const policy::Settings& settings, const RootOpener& open) {
  const policy::ProfileRules& rules = policy::RulesOf(settings.profile);
  if (settings.protection == policy::Protection::kOff || settings.roots.size() != 1 ||
      rules.outside != policy::OutsideAccess::kRefuse) {
    return Refusal(ErrorCode::kInvalidArguments, "configuration",
                   "a workspace elsewhere is one, and all there is");
  }
  std::vector<policy::DenyRule> deny = settings.deny;
  deny.push_back(WorkspaceFileRule());
  TRY_ASSIGN(policy::DenyList list, policy::DenyList::Compile(std::move(deny)));
  Boundary boundary;
  boundary.settings_ = settings;
  boundary.deny_ = std::make_shared<const policy::DenyList>(std::move(list));
  confine::RootOptions options;
  options.deny = boundary.deny_;
  options.hard_links = rules.hard_links;
  options.access =
      settings.read_only ? confine::RootAccess::kReadOnly : confine::RootAccess::kReadWrite;
  options.seen_as = settings.roots.front();
  const Zone zone = settings.read_only ? Zone::kReadOnlyRoot : Zone::kWorkspace;
  boundary.places_.push_back({zone, std::make_shared<const confine::Root>(open(options))});
  return boundary;
}

Result<std::vector<std::string>> Boundary::Kept() const {
  std::vector<std::string> kept = kept_;
  if (!for_homes_) return kept;
  TRY_ASSIGN(std::vector<std::string> homes, confine::AmbientHomeDirectories(*for_homes_));
  for (std::string& home : homes) kept.push_back(std::move(home));
  return kept;
}

Result<confine::RootOptions> Boundary::OptionsForGrant(const std::string& real_path) const {
  // As the host's own rules have it, said from the directory.
  TRY_ASSIGN(policy::DenyList list,
             policy::DenyList::Compile(policy::RulesBelow(outside_->root->options().deny->rules(),
                                                          std::string_view(real_path).substr(1))));
  confine::RootOptions options = outside_->root->options();
  options.deny = std::make_shared<const policy::DenyList>(std::move(list));
  return options;
}

Boundary::Located Boundary::Locate(std::string_view untrusted) const {
  if (untrusted.empty() || untrusted.front() != '/') {
    const Place& workspace = places_.front();
    return {workspace.zone, workspace.root.get(), untrusted, untrusted};
  }
  Located best;
  best.path = best.below = untrusted;
  for (const Place& place : places_) {
    for (const std::string& spelling : place.root->spellings()) {
      std::string_view rest;
      if (!path::StripRoot(untrusted, spelling, rest)) continue;
      // The least that remains belongs to the deepest root; the first of equals.
      if (best.root != nullptr && rest.size() >= best.below.size()) continue;
      best = {place.zone, place.root.get(), untrusted, rest};
    }
  }
  return best;
}

const policy::DenyList& Boundary::RulesOver(const Located& located) const {
  return located.root != nullptr ? *located.root->options().deny : *deny_;
}

policy::Decision Boundary::DecideUnprotected(const Located& located) const {
  const policy::DenyList& rules =
      located.root != nullptr || !outside_ ? RulesOver(located) : *outside_->root->options().deny;
  // Only Cordon's own directories are left in the list.
  const policy::DenyList::Verdict verdict = rules.Check(located.below, Operation::kStat);
  if (verdict.denied) return {policy::Verdict::kDeny, "deny-list", verdict.denied->rule};
  return {policy::Verdict::kAllow, "protection-off", nullptr};
}

policy::Decision Boundary::DecideLocated(policy::Subject subject, Operation operation,
                                         const Located& located) const {
  if (settings_.protection == policy::Protection::kOff) return DecideUnprotected(located);
  return policy::Decide(settings_.profile, RulesOver(located), subject, operation,
                        {located.zone, located.below});
}

policy::Decision Boundary::Decide(policy::Subject subject, Operation operation,
                                  std::string_view untrusted) const {
  return DecideLocated(subject, operation, Locate(untrusted));
}

Result<const confine::Root*> Boundary::Admit(policy::Subject subject, Operation operation,
                                             std::string_view untrusted) const {
  const Located located = Locate(untrusted);
  const policy::Decision decision = DecideLocated(subject, operation, located);
  if (decision.verdict == policy::Verdict::kAllow && located.root != nullptr) return located.root;
  return RefusalOf(decision, RulesOver(located), operation, located);
}

}  // namespace cordon::guard
