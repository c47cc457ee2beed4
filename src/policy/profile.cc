#include "policy/profile.h"

#include <array>

namespace cordon::policy {
namespace {

struct Entry {
  Profile profile;
  std::string_view name;
  ProfileRules rules;
};

constexpr std::array<Entry, 4> kProfiles{{
    {Profile::kStrict,
     "strict",
     {OutsideAccess::kRefuse, MissingRoot::kRefuse, TemporaryDirectory::kDenied,
      DataDirectory::kNotForAgents, HardLinks::kRefuse, Mounts::kRefuse}},
    {Profile::kInteractive,
     "interactive",
     {OutsideAccess::kAsk, MissingRoot::kCurrentDirectory, TemporaryDirectory::kDenied,
      DataDirectory::kNotForAgents, HardLinks::kReadOnly, Mounts::kReadOnly}},
    {Profile::kSandboxed,
     "sandboxed",
     {OutsideAccess::kRefuse, MissingRoot::kRefuseWithoutSandbox, TemporaryDirectory::kDenied,
      DataDirectory::kNotForAgents, HardLinks::kRefuse, Mounts::kRefuse}},
    {Profile::kCompat,
     "compat",
     {OutsideAccess::kRefuse, MissingRoot::kAllowAll, TemporaryDirectory::kAllowed,
      DataDirectory::kAllowed, HardLinks::kReadOnly, Mounts::kReadOnly}},
}};

const Entry& EntryOf(Profile profile) {
  for (const Entry& entry : kProfiles) {
    if (entry.profile == profile) return entry;
  }
  return kProfiles.front();  // no such profile: the narrowest
}

// How much a rule lets through, for comparison within its kind.
constexpr int Width(OutsideAccess rule) { return rule == OutsideAccess::kRefuse ? 0 : 1; }
constexpr int Width(TemporaryDirectory rule) { return rule == TemporaryDirectory::kDenied ? 0 : 1; }
constexpr int Width(DataDirectory rule) { return rule == DataDirectory::kNotForAgents ? 0 : 1; }
constexpr int Width(HardLinks rule) { return rule == HardLinks::kRefuse ? 0 : 1; }
constexpr int Width(Mounts rule) { return rule == Mounts::kRefuse ? 0 : 1; }
constexpr int Width(MissingRoot rule) {
  switch (rule) {
    case MissingRoot::kRefuse: return 0;
    case MissingRoot::kRefuseWithoutSandbox: return 1;
    case MissingRoot::kCurrentDirectory: return 2;
    case MissingRoot::kAllowAll: return 3;
  }
  return 3;
}

}  // namespace

const ProfileRules& RulesOf(Profile profile) { return EntryOf(profile).rules; }

std::string_view ProfileName(Profile profile) { return EntryOf(profile).name; }

std::optional<Profile> ParseProfile(std::string_view name) {
  for (const Entry& entry : kProfiles) {
    if (entry.name == name) return entry.profile;
  }
  return std::nullopt;
}

bool IsNarrowerOrEqual(Profile b, Profile a) {
  const ProfileRules& x = RulesOf(b);
  const ProfileRules& y = RulesOf(a);
  return Width(x.outside) <= Width(y.outside) && Width(x.missing_root) <= Width(y.missing_root) &&
         Width(x.temporary) <= Width(y.temporary) &&
         Width(x.data_directory) <= Width(y.data_directory) &&
         Width(x.hard_links) <= Width(y.hard_links) && Width(x.mounts) <= Width(y.mounts);
}

}  // namespace cordon::policy
