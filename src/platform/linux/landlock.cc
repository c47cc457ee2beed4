#include "platform/landlock.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <utility>

#include "base/try.h"
#include "platform/linux/error_from_errno.h"

namespace cordon::platform {
namespace {

// Younger than the headers of the systems this is built on.
struct RulesetAttributes {
  std::uint64_t handled_fs = 0;
  std::uint64_t handled_net = 0;  // version 4
  std::uint64_t scoped = 0;       // version 6
};
constexpr std::uint64_t kTruncate = 1ULL << 14;     // version 3
constexpr std::uint64_t kIoctlDevice = 1ULL << 15;  // version 5
constexpr std::uint64_t kBindTcp = 1ULL << 0;
constexpr std::uint64_t kConnectTcp = 1ULL << 1;
constexpr std::uint64_t kScopeAbstractSockets = 1ULL << 0;
constexpr std::uint64_t kScopeSignals = 1ULL << 1;
constexpr int kReferVersion = 2, kTruncateVersion = 3, kNetVersion = 4, kIoctlVersion = 5,
              kScopeVersion = 6;

constexpr std::uint64_t kOldest = (1ULL << 13) - 1;  // all of version 1
constexpr std::uint64_t kRead = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t kOfFiles = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                                   LANDLOCK_ACCESS_FS_READ_FILE | kTruncate | kIoctlDevice;

std::uint64_t HandledBy(int version) {
  std::uint64_t handled = kOldest;
  if (version >= kReferVersion) handled |= LANDLOCK_ACCESS_FS_REFER;
  if (version >= kTruncateVersion) handled |= kTruncate;
  if (version >= kIoctlVersion) handled |= kIoctlDevice;
  return handled;
}

std::size_t SizeFor(int version) {
  if (version < kNetVersion) return offsetof(RulesetAttributes, handled_net);
  if (version < kScopeVersion) return offsetof(RulesetAttributes, scoped);
  return sizeof(RulesetAttributes);
}

std::uint64_t RightsOf(PathGrant grant) {
  switch (grant) {
    case PathGrant::kRead: return kRead;
    case PathGrant::kReadExecute: return kRead | LANDLOCK_ACCESS_FS_EXECUTE;
    case PathGrant::kReadWrite:
      return kRead | LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate | kIoctlDevice;
    case PathGrant::kEverything: return ~0ULL;
    case PathGrant::kList: return LANDLOCK_ACCESS_FS_READ_DIR;
  }
  return 0;
}

Result<UniqueFd> MakeRuleset(const RulesetAttributes& attributes, std::size_t size) {
  UniqueFd rules(static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, size, 0)));
  if (!rules.valid()) return ErrorFromErrno("landlock_create_ruleset", errno);
  return rules;
}

Status RestrictSelf(int rules) {
  if (::syscall(SYS_landlock_restrict_self, rules, 0) != 0) {
    return ErrorFromErrno("landlock_restrict_self", errno);
  }
  return {};
}

}  // namespace

Result<int> LandlockVersion() {
  const long version =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return ErrorFromErrno("landlock_create_ruleset", errno);
  return static_cast<int>(version);
}

Result<LandlockRules> LandlockRules::Make(TcpRule tcp) {
  TRY_ASSIGN(const int version, LandlockVersion());
  RulesetAttributes attributes;
  attributes.handled_fs = HandledBy(version);
  if (version >= kNetVersion && tcp == TcpRule::kRefused) {
    attributes.handled_net = kBindTcp | kConnectTcp;
  }
  if (version >= kScopeVersion) attributes.scoped = kScopeAbstractSockets | kScopeSignals;
  TRY_ASSIGN(UniqueFd rules, MakeRuleset(attributes, SizeFor(version)));
  return LandlockRules(std::move(rules), version);
}

Status LandlockRules::Grant(const std::string& path, PathGrant grant) {
  const UniqueFd place(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!place.valid()) return {};
  struct stat what = {};
  if (::fstat(place.get(), &what) != 0) return ErrorFromErrno("fstat", errno);
  landlock_path_beneath_attr rule = {};
  rule.parent_fd = place.get();
  rule.allowed_access = RightsOf(grant) & HandledBy(version_);
  if (!S_ISDIR(what.st_mode)) rule.allowed_access &= kOfFiles;
  if (rule.allowed_access == 0) return {};
  if (::syscall(SYS_landlock_add_rule, rules_.get(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0) {
    return ErrorFromErrno("landlock_add_rule", errno);
  }
  return {};
}

Status LandlockRules::Enforce() const { return RestrictSelf(rules_.get()); }

Result<UniqueFd> MakeInnerLine(InnerReach reach) {
  TRY_ASSIGN(const int version, LandlockVersion());
  RulesetAttributes attributes;
  if (version >= kScopeVersion && reach == InnerReach::kSignalsRefusedToo) {
    attributes.scoped = kScopeAbstractSockets | kScopeSignals;
  } else {
    // Something must be handled; no command needs this right, and tracing is refused by any
    // line that is crossed.
    attributes.handled_fs = LANDLOCK_ACCESS_FS_MAKE_BLOCK;
  }
  return MakeRuleset(attributes, SizeFor(version));
}

Status EnterInnerLine(int line) { return RestrictSelf(line); }

}  // namespace cordon::platform
