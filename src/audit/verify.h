// Whether a log is as it was written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "audit/log.h"
#include "base/sha256.h"
#include "confine/ambient_authority.h"
#include "cordon/result.h"

namespace cordon::audit {

enum class Damage {
  kChanged,    // "changed": a record is not what was written
  kRemoved,    // "removed": records are missing before this one
  kReordered,  // "reordered": a record stands where another belongs
  kForeign,    // "foreign": a record of another log
  kTruncated,  // "truncated": records are missing at the end
  kAdded,      // "added": bytes that were never written
  kNoHead,     // "no head": without it the end cannot be vouched for
};
std::string_view DamageName(Damage damage);

struct Finding {
  Damage damage = Damage::kChanged;
  std::string file;
  std::size_t line = 0;   // from 1; 0 when it is about a whole file
  std::uint64_t seq = 0;  // the number that was expected there
  std::string detail;     // one sentence
};

// A record named from outside the log: someone wrote it down earlier.
struct Anchor {
  std::uint64_t seq = 0;
  Digest hash{};
};

struct VerifyOptions {
  std::uint64_t first = 1;  // where to begin; older files may have been archived
  std::vector<Anchor> anchors;
};

struct Verification {
  std::uint64_t records = 0;
  std::uint64_t first = 0, last = 0;
  Digest head{};                   // hash of the last record, to write down
  std::optional<Finding> damage;   // the first
  std::vector<std::string> notes;  // what is no damage but should be known: an unfinished
                                   // record of a killed process, records lost with the power
};

// Guarantees: with the key safe, no change, removal, reordering, insertion or
//   truncation of the log's files passes unnoticed. May run while others write.
// Does not guarantee: to notice that log and head together were put back to an
//   earlier state, unless an anchor says so.
// Errors: kNotFound (no log, no key), kPermissionDenied, kIoError: nothing is known then.
Result<Verification> Verify(const LogPlace& place, const VerifyOptions& options,
                            confine::AmbientAuthority authority);

}  // namespace cordon::audit
