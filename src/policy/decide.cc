#include "policy/decide.h"

namespace cordon::policy {
namespace {

constexpr Decision Allow(std::string_view rule) { return {Verdict::kAllow, rule, nullptr}; }
constexpr Decision Deny(std::string_view rule) { return {Verdict::kDeny, rule, nullptr}; }
constexpr Decision Ask(std::string_view rule) { return {Verdict::kAsk, rule, nullptr}; }

Decision DecideByZone(const ProfileRules& rules, Subject subject, Operation operation, Zone zone) {
  switch (zone) {
    case Zone::kWorkspace: return Allow("boundary");
    case Zone::kReadOnlyRoot:
      return IsReadOnly(operation) ? Allow("read-only-root") : Deny("read-only-root");
    case Zone::kDataDirectory:
      return subject == Subject::kHost || rules.data_directory == DataDirectory::kAllowed
                 ? Allow("data-dir")
                 : Deny("data-dir");
    case Zone::kTemporary:
      return rules.temporary == TemporaryDirectory::kAllowed ? Allow("tmp") : Deny("tmp");
    case Zone::kOutside:
      return rules.outside == OutsideAccess::kAsk ? Ask("boundary") : Deny("boundary");
  }
  return Deny("boundary");
}

}  // namespace

Decision Decide(Profile profile, const DenyList& deny, Subject subject, Operation operation,
                const Resource& resource) {
  const DenyList::Verdict verdict = deny.Check(resource.path, operation);
  if (verdict.denied) return {Verdict::kDeny, "deny-list", verdict.denied->rule};
  return DecideByZone(RulesOf(profile), subject, operation, resource.zone);
}

}  // namespace cordon::policy
