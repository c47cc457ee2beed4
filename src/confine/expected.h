// The object someone saw before they agreed to an operation on it.
#pragma once

#include <optional>
#include <string>

#include "base/sha256.h"
#include "platform/file_stat.h"

namespace cordon::confine {

enum class Presence {
  kAny,      // nothing is expected
  kAbsent,   // the name was free
  kPresent,  // the name led to `object`
};

// An operation given this acts on that very object or fails with kStaleFile
// (violation kRace, rule "expected"; "left-aside" if it could not be put back in time), having left
// every other object as and where it was.
//
// Guarantees: content of another object is never handed out, replaced, extended or
//   removed; a name that was free is never taken from what came there meanwhile. What
//   cannot be put back, because something else has its name by now, is left under a
//   ".cordon-*.tmp" name in the same directory, which the error's detail tells.
// Does not guarantee: that another object is not moved aside and back for an
//   instant, where the system has no other way to find out (delete, rename, replace);
//   that a crash in that instant puts it back; anything to a process that moves its
//   own files onto the ".cordon-*.tmp" name of a running operation. An inode's number
//   is used again once the inode is gone: Probed keeps it from going.
// Errors beside: a path that leads out or is denied by now is refused as such; an
//   operation that always wants a free name (mkdir, symlink, exclusive creation) says
//   kAlreadyExists as ever; kUnsupported where the file system cannot rename without
//   replacing, or exchange.
struct Expected {
  Presence presence = Presence::kAny;
  platform::FileIdentity object;  // for kPresent
  // That holds the name, and the name itself, where links have led: checked by
  // operations on names, unless all zero or empty.
  platform::FileIdentity directory;
  std::string name;
  // Of a regular file; checked by Replace, at Commit, by Remove, and by Rename of what
  // it replaces. For Replace with kAny, any file will do that has this content.
  std::optional<Digest> content;
  // What to call an entry that lies beside meanwhile, so that it can be found after a
  // crash; empty: a name that nobody can guess. From TemporaryName.
  std::string temporary;

  bool any() const { return presence == Presence::kAny; }
};

}  // namespace cordon::confine
