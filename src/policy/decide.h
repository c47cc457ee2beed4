// The decision, as a pure function: no I/O, no state, exhaustively testable.
#pragma once

#include <string>
#include <string_view>

#include "cordon/operation.h"
#include "policy/deny_list.h"
#include "policy/profile.h"

namespace cordon::policy {

// On whose behalf: an agent's tool, or the program that embeds or runs Cordon.
enum class Subject { kAgent, kHost };

// In which configured place a path lies, before anything is opened.
enum class Zone { kWorkspace, kReadOnlyRoot, kDataDirectory, kTemporary, kOutside };

struct Resource {
  Zone zone = Zone::kOutside;
  std::string_view path;  // below the zone's directory; as asked if outside
};

enum class Verdict { kAllow, kAsk, kDeny };

struct Decision {
  Verdict verdict = Verdict::kDeny;
  std::string_view rule;  // static: "boundary", "read-only-root", "data-dir", "tmp", "deny-list"
  const DenyRule* deny_rule = nullptr;  // set when rule is "deny-list"
};

// Guarantees: depends on its arguments alone; a deny rule beats everything.
// Rules that hold only on some file systems (DenyList::Match::when) are not
// decided here: confine does, where the directory is known.
Decision Decide(Profile profile, const DenyList& deny, Subject subject, Operation operation,
                const Resource& resource);

}  // namespace cordon::policy
