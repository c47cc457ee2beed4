#include "guard/boundary.h"

#include <utility>

#include "base/printable.h"
#include "base/try.h"
#include "guard/place_rules.h"
#include "path/posix.h"

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

// The directories to open, each in its zone.
struct Plan {
  std::vector<std::string> writable;
  std::vector<std::string> read_only;
  std::optional<std::string> data;
  bool temporary = false;
  std::vector<std::string> warnings;
};

Result<Plan> MakePlan(const policy::Settings& settings) {
  const policy::ProfileRules& rules = policy::RulesOf(settings.profile);
  Plan plan;
  plan.writable = settings.roots;
  plan.read_only = settings.read_only_roots;
  plan.data = settings.data_dir;
  plan.temporary = rules.temporary == policy::TemporaryDirectory::kAllowed;
  if (!plan.writable.empty()) return plan;
  switch (rules.missing_root) {
    case policy::MissingRoot::kRefuse:
      return Refusal(ErrorCode::kInvalidArguments, "profile",
                     "no root is configured, and this profile does not choose one");
    case policy::MissingRoot::kRefuseWithoutSandbox:
      return Refusal(ErrorCode::kSandboxRequired, "profile",
                     "no root is configured, and this profile needs a sandbox's");
    case policy::MissingRoot::kCurrentDirectory: plan.writable = {"."}; break;
    case policy::MissingRoot::kAllowAll:
      plan.writable = {"/"};
      plan.warnings.emplace_back("no root is configured: every path of this machine is allowed");
      break;
  }
  return plan;
}

// Opens the places of one Boundary.
class Opener {
 public:
  Opener(const policy::Settings& settings, confine::Resolver resolver,
         confine::AmbientAuthority authority)
      : settings_(settings), authority_(authority) {
    const policy::ProfileRules& rules = policy::RulesOf(settings.profile);
    options_.hard_links = rules.hard_links;
    options_.mounts = rules.mounts;
    options_.resolver = resolver;
  }

  Result<Boundary::Place> Open(const std::string& directory, Zone zone,
                               const std::vector<policy::DenyRule>& more = {}) {
    confine::RootOptions options = options_;
    TRY_ASSIGN(options.deny, DenyListWith(more));
    // What the whole workspace may not, no part of it may.
    if (settings_.read_only && zone == Zone::kWorkspace) zone = Zone::kReadOnlyRoot;
    // All of the host has no inside that a mount could lead out of.
    if (directory == "/") options.mounts = policy::Mounts::kAllow;
    options.access = zone == Zone::kReadOnlyRoot ? confine::RootAccess::kReadOnly
                                                 : confine::RootAccess::kReadWrite;
    auto root = confine::Root::OpenAmbient(directory, std::move(options), authority_);
    if (!root) {
      Error error = std::move(root.error());
      error.detail = "cannot use " + Quoted(directory) + " as a root: " +
                     (error.detail.empty() ? std::string(ErrorCodeName(error.code)) : error.detail);
      return error;
    }
    return Boundary::Place{zone, std::make_unique<confine::Root>(std::move(*root))};
  }

  // The rules that every place shares, compiled once.
  Result<std::shared_ptr<const policy::DenyList>> DenyListWith(
      const std::vector<policy::DenyRule>& more) {
    if (more.empty() && shared_) return shared_;
    std::vector<policy::DenyRule> rules = settings_.deny;
    rules.insert(rules.end(), more.begin(), more.end());
    TRY_ASSIGN(policy::DenyList list, policy::DenyList::Compile(std::move(rules)));
    auto compiled = std::make_shared<const policy::DenyList>(std::move(list));
    if (more.empty()) shared_ = compiled;
    return compiled;
  }

 private:
  const policy::Settings& settings_;
  confine::AmbientAuthority authority_;
  confine::RootOptions options_;
  std::shared_ptr<const policy::DenyList> shared_;
};

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

// One directory under two sets of terms would silently follow the wider one.
Status CheckDistinct(const std::vector<Boundary::Place>& places, policy::DataDirectory data) {
  for (const Boundary::Place& a : places) {
    for (const Boundary::Place& b : places) {
      if (a.zone == b.zone || a.root->identity() != b.root->identity()) continue;
      const bool narrower =
          b.zone == Zone::kReadOnlyRoot ||
          (b.zone == Zone::kDataDirectory && data == policy::DataDirectory::kNotForAgents);
      if (!narrower) continue;
      return Refusal(ErrorCode::kInvalidArguments, "configuration",
                     Quoted(b.root->real_path()) + " is configured twice, as " +
                         (b.zone == Zone::kReadOnlyRoot ? "read-only" : "the data directory") +
                         " and as something wider");
    }
  }
  return {};
}

}  // namespace

Result<Boundary> Boundary::Open(const policy::Settings& settings, confine::Resolver resolver,
                                confine::AmbientAuthority authority) {
  TRY_ASSIGN(Plan plan, MakePlan(settings));
  policy::Settings held = settings;
  held.deny.push_back(WorkspaceFileRule());
  Opener opener(held, resolver, authority);
  Boundary boundary;
  boundary.settings_ = settings;
  boundary.warnings_ = std::move(plan.warnings);
  TRY_ASSIGN(boundary.deny_, opener.DenyListWith({}));

  struct Wanted {
    std::string directory;
    Zone zone;
  };
  std::vector<Wanted> wanted;
  for (std::string& root : plan.writable) wanted.push_back({std::move(root), Zone::kWorkspace});
  for (std::string& root : plan.read_only) wanted.push_back({std::move(root), Zone::kReadOnlyRoot});
  if (plan.data) wanted.push_back({std::move(*plan.data), Zone::kDataDirectory});
  if (plan.temporary) wanted.push_back({"/tmp", Zone::kTemporary});
  for (const Wanted& place : wanted) {
    TRY_ASSIGN(Place opened, opener.Open(place.directory, place.zone));
    boundary.places_.push_back(std::move(opened));
  }
  TRY(CheckDistinct(boundary.places_, policy::RulesOf(settings.profile).data_directory));
  // Only now is it known what lies inside what.
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto nested = RulesForNested(boundary.places_[i], boundary.places_, held);
    if (nested.empty()) continue;
    TRY_ASSIGN(boundary.places_[i], opener.Open(wanted[i].directory, wanted[i].zone, nested));
  }
  return boundary;
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

policy::Decision Boundary::DecideLocated(policy::Subject subject, Operation operation,
                                         const Located& located) const {
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
