// Records that a head tells of and that are not in FILE yet.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "audit/head_image.h"
#include "base/sha256.h"
#include "cordon/result.h"

namespace cordon::audit {

// What was staged at one moment: bytes of FILE from `from` on.
struct Staged {
  std::uint64_t from = 0;
  std::string bytes;
  std::uint64_t end() const { return from + bytes.size(); }
};

// Whole records, each with a right hash and chained to the one before, the last of them
// the one that `end` tells. As `end` is signed, no byte of them can be another.
// Errors: kIoError (audit/failure.h).
Status CheckStaged(std::string_view staged, const HeadState& end, HmacSha256& mac);

// What the head tells to one who has no key: by the newer of those of its two slots whose
// hash is that of the last record they tell of, which one that a killed writer left
// half-written is not. Nothing for bytes that are no head.
Staged ReadStagedUnchecked(std::string_view head);

}  // namespace cordon::audit
