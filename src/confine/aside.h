// Taking an entry off its name to see what it is, and giving the name back. There is
// no call that removes or renames an entry only if it is a certain object.
#pragma once

#include <chrono>
#include <string>

#include "confine/expected.h"
#include "confine/resolution.h"
#include "confine/temporary_name.h"
#include "cordon/error.h"
#include "cordon/result.h"
#include "platform/file_stat.h"

namespace cordon::confine {

// The one that was chosen before, or a new one.
inline std::string TemporaryNameFor(const Expected& expected) {
  return expected.temporary.empty() ? TemporaryName() : expected.temporary;
}

// Whether the file system has no such call, so that nothing happened.
bool LacksRenameFlags(const Error& error);
Error RenameFlagsUnsupported(Error error);

// Moves an entry to a name only if that is free, as RenameNoReplace does, also on file systems that
// do not know how: a file or link by a second name, a directory over an empty one of our own. There
// it is not certain what is moved, only that nothing is lost at the new name.
Status MoveToFreeName(int from, const std::string& name, int to, const std::string& new_name);

// How long to try again where another process is at the same names.
using Patience = std::chrono::milliseconds;

// Moves the entry at `place` to the name `aside` in the same directory.
// Errors: kStaleFile if it was not `object`, and then it is back at its name or the
// detail says where it is; kUnsupported.
Status TakeAside(const Place& place, const std::string& aside, const platform::FileIdentity& object,
                 Patience patience);

// Gives what lies at `aside` the place's name back. Returns `why`, with where it is
// now, and the rule "left-aside" instead of "expected", if the name is taken and stays so.
Error PutBack(const Place& place, const std::string& aside, Patience patience, Error why);

// Removes a file, a link or an empty directory that was taken aside.
Status RemoveAside(const Place& place, const std::string& aside, platform::FileType type);

// Two names whose entries were exchanged.
struct Exchange {
  int aside_directory;
  const std::string& aside;  // a name of our own
  int directory;
  const std::string& name;  // everybody's
};

// What became of an exchange that was to be undone.
struct Undone {
  Error why;
  bool own_is_aside = false;  // else `aside` is free, or holds what could not be put back
};

// After an exchange has brought out the wrong object: exchanges back as soon as `own`,
// which was aside before it, has the name. Other processes may be moving all of them.
Undone ExchangeBack(const Exchange& exchange, const platform::FileIdentity& own, Patience patience,
                    Error why);

}  // namespace cordon::confine
