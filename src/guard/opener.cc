#include "guard/opener.h"

#include <optional>
#include <utility>

#include "base/printable.h"
#include "base/try.h"
#include "guard/place_rules.h"
#include "path/posix.h"

namespace cordon::guard {
namespace {

using policy::Zone;

Error Invalid(ErrorCode code, std::string_view rule, std::string detail) {
  Error error;
  error.code = code;
  error.op = "open boundary";
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
      return Invalid(ErrorCode::kInvalidArguments, "profile",
                     "no root is configured, and this profile does not choose one");
    case policy::MissingRoot::kRefuseWithoutSandbox:
      return Invalid(ErrorCode::kSandboxRequired, "profile",
                     "no root is configured, and this profile needs a sandbox's");
    case policy::MissingRoot::kCurrentDirectory: plan.writable = {"."}; break;
    case policy::MissingRoot::kAllowAll:
      plan.writable = {"/"};
      plan.warnings.emplace_back("no root is configured: every path of this machine is allowed");
      break;
  }
  return plan;
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
      return Invalid(ErrorCode::kInvalidArguments, "configuration",
                     Quoted(b.root->real_path()) + " is configured twice, as " +
                         (b.zone == Zone::kReadOnlyRoot ? "read-only" : "the data directory") +
                         " and as something wider");
    }
  }
  return {};
}

}  // namespace

Opener::Opener(const policy::Settings& settings, confine::Resolver resolver,
               confine::AmbientAuthority authority)
    : settings_(settings), authority_(authority) {
  const policy::ProfileRules& rules = policy::RulesOf(settings.profile);
  options_.hard_links = rules.hard_links;
  options_.mounts = rules.mounts;
  options_.resolver = resolver;
}

Result<Boundary::Place> Opener::Open(const std::string& directory, Zone zone,
                                     const std::vector<policy::DenyRule>& more) {
  confine::RootOptions options = options_;
  TRY_ASSIGN(options.deny, DenyListWith(more));
  // What the whole workspace may not, no part of it may.
  if (settings_.read_only && zone == Zone::kWorkspace) zone = Zone::kReadOnlyRoot;
  if (!settings_.roots.empty() && directory == settings_.roots.front()) {
    options.seen_as = settings_.seen_as;
  }
  // All of the host has no inside that a mount could lead out of.
  if (directory == "/") options.mounts = policy::Mounts::kAllow;
  options.access = zone == Zone::kReadOnlyRoot ? confine::RootAccess::kReadOnly
                                               : confine::RootAccess::kReadWrite;
  auto root = confine::Root::OpenAmbient(directory, std::move(options), authority_);
  if (!root) {
    Error error = std::move(root.error());
    error.detail = "cannot use " + Quoted(directory) + " as a root: " +
                   (error.detail.empty() ? std::string(ErrorCodeName(error.code)) : error.detail);
    if (error.code == ErrorCode::kNotFound) error.detail += "; make it first, or name another";
    return error;
  }
  return Boundary::Place{zone, std::make_unique<confine::Root>(std::move(*root))};
}

Result<std::shared_ptr<const policy::DenyList>> Opener::DenyListWith(
    const std::vector<policy::DenyRule>& more) {
  if (more.empty() && shared_) return shared_;
  std::vector<policy::DenyRule> rules = settings_.deny;
  rules.insert(rules.end(), more.begin(), more.end());
  TRY_ASSIGN(policy::DenyList list, policy::DenyList::Compile(std::move(rules)));
  auto compiled = std::make_shared<const policy::DenyList>(std::move(list));
  if (more.empty()) shared_ = compiled;
  return compiled;
}

Result<std::vector<Boundary::Place>> Opener::OpenPlaces(std::vector<std::string>& warnings) {
  TRY_ASSIGN(Plan plan, MakePlan(settings_));
  warnings = std::move(plan.warnings);
  struct Wanted {
    std::string directory;
    Zone zone;
  };
  std::vector<Wanted> wanted;
  for (std::string& root : plan.writable) wanted.push_back({std::move(root), Zone::kWorkspace});
  for (std::string& root : plan.read_only) wanted.push_back({std::move(root), Zone::kReadOnlyRoot});
  if (plan.data) wanted.push_back({std::move(*plan.data), Zone::kDataDirectory});
  if (plan.temporary) wanted.push_back({"/tmp", Zone::kTemporary});
  std::vector<Boundary::Place> places;
  for (const Wanted& place : wanted) {
    TRY_ASSIGN(Boundary::Place opened, Open(place.directory, place.zone));
    places.push_back(std::move(opened));
  }
  TRY(CheckDistinct(places, policy::RulesOf(settings_.profile).data_directory));
  // Only now is it known what lies inside what.
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::string& real_path = places[i].root->real_path();
    auto more = RulesForNested(real_path, places, settings_);
    const auto around = RulesFromAround(real_path, places, settings_);
    more.insert(more.end(), around.begin(), around.end());
    if (more.empty()) continue;
    TRY_ASSIGN(places[i], Open(wanted[i].directory, wanted[i].zone, more));
  }
  return places;
}

Result<Boundary::Place> Opener::OpenOutside(const std::vector<Boundary::Place>& places) {
  return Open("/", Zone::kOutside, RulesForNested("/", places, settings_));
}

Status CheckOutsideOwn(const std::vector<Boundary::Place>& places,
                       const std::vector<policy::Protected>& own) {
  for (const Boundary::Place& place : places) {
    for (const policy::Protected& mine : own) {
      if (mine.holds == policy::Protected::Holds::kWorkspaces) continue;
      std::string_view below;
      if (!path::StripRoot(place.root->real_path(), mine.path, below)) continue;
      return Invalid(ErrorCode::kInvalidArguments, "configuration",
                     "cannot use " + Quoted(place.root->real_path()) +
                         " as a root: it holds what guards the agent");
    }
  }
  return {};
}

}  // namespace cordon::guard
