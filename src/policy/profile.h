// The four profiles: one engine, set for four kinds of use.
#pragma once

#include <optional>
#include <string_view>

namespace cordon::policy {

enum class Profile { kStrict, kInteractive, kSandboxed, kCompat };

enum class OutsideAccess { kRefuse, kAsk };
enum class MissingRoot { kRefuse, kCurrentDirectory, kRefuseWithoutSandbox, kAllowAll };
enum class TemporaryDirectory { kDenied, kAllowed };
enum class DataDirectory { kNotForAgents, kAllowed };
// Files with a second name: reading one may show, writing one may change,
// something outside. kReadOnly: a write gives the name an inode of its own.
enum class HardLinks { kRefuse, kReadOnly };
// Other file systems mounted below the root. kReadOnly: they may be read.
// kAllow is for a root that is all of the host, not for a profile's workspace.
enum class Mounts { kRefuse, kReadOnly, kAllow };

struct ProfileRules {
  OutsideAccess outside;
  MissingRoot missing_root;
  TemporaryDirectory temporary;
  DataDirectory data_directory;
  HardLinks hard_links;
  Mounts mounts;
};

const ProfileRules& RulesOf(Profile profile);
std::string_view ProfileName(Profile profile);
std::optional<Profile> ParseProfile(std::string_view name);
// True if everything `a` refuses or asks about, `b` would too.
bool IsNarrowerOrEqual(Profile b, Profile a);

}  // namespace cordon::policy
