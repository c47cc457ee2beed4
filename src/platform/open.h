// Opening by descriptor: below a root in one step, or one entry of a directory.
#pragma once

#include "cordon/result.h"
#include "platform/unique_fd.h"

namespace cordon::platform {

// What the descriptor is for. All are close-on-exec, never block and never make
// a terminal the controlling one.
enum class OpenIntent {
  kReference,        // names the object without opening it; fits links and devices too
  kListDirectory,    // to read a directory's entries
  kRead,             //
  kWrite,            // in place, never truncating
  kReadWrite,        // in place, never truncating
  kCreate,           // to write, made if missing, never truncating
  kCreateExclusive,  // to write, made; fails if anything, even a link, is there
  kCreatePrivate,    // as kCreateExclusive, and nobody else may open it yet
  kAppend,           // to write at the end, made if missing
  kAppendExisting,   // to write at the end; must exist
};

enum class MustBe { kAnything, kDirectory };
enum class MountCrossing { kAllow, kRefuse };

// Opens `path` below `root` in one system call that passes through no link of
// any kind and never rises above `root`. kReference on a final link gives the
// link itself only if `path` ends in it; every other intent fails with ELOOP.
// Errors by os_errno: ELOOP (a link somewhere), EXDEV (".." above the root, or
// another mount where refused), EAGAIN (the tree changed meanwhile), ENOSYS or
// EPERM (the kernel does not have it, or does not let us), and open's own.
Result<UniqueFd> OpenLinkFree(int root, const char* path, OpenIntent intent, MustBe must_be,
                              MountCrossing mounts);

// As OpenLinkFree for a reference, but a final link fails with ELOOP as well.
Result<UniqueFd> OpenReferenceNoLink(int root, const char* path, MustBe must_be,
                                     MountCrossing mounts);

// Whether the kernel has OpenLinkFree and lets this process use it now.
Status CheckOpenLinkFree(int root);

// Opens the entry `name` of `directory`; a link is never followed (ELOOP, or the
// link itself for kReference). `name` must be one component; ".." and "." are
// the caller's responsibility.
Result<UniqueFd> OpenEntry(int directory, const char* name, OpenIntent intent);

// A second, readable descriptor of the directory itself.
Result<UniqueFd> ReopenDirectory(int directory);

// Whether this process may read or write what `fd` refers to.
enum class AccessKind { kRead, kWrite };
Status CheckAccess(int fd, AccessKind kind);

}  // namespace cordon::platform
