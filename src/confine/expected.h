// The object someone saw before they agreed to an operation on it.
#pragma once

#include <optional>

#include "base/sha256.h"
#include "platform/file_stat.h"

namespace cordon::confine {

enum class Presence {
  kAny,      // nothing is expected
  kAbsent,   // the name was free
  kPresent,  // the name led to `object`
};

// An operation given this acts on that very object or fails with kStaleFile
// (violation kRace), having left every other object as and where it was.
//
// Guarantees: content of another object is never handed out, replaced, extended or
//   removed; a name that was free is never taken from what came there meanwhile.
// Does not guarantee: that another object is not moved aside and back for an
//   instant, where the system has no other way to find out (delete, rename).
struct Expected {
  Presence presence = Presence::kAny;
  platform::FileIdentity object;     // for kPresent
  platform::FileIdentity directory;  // that holds the name; checked by operations on names
  std::optional<Digest> content;     // of a regular file; checked by Replace, at Commit

  bool any() const { return presence == Presence::kAny; }
};

}  // namespace cordon::confine
