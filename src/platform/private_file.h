// Files that belong to this user alone, by directory descriptor and bare name.
#pragma once

#include <string_view>

#include "cordon/result.h"
#include "platform/unique_fd.h"

namespace cordon::platform {

// The directory at the absolute `path`, open for listing and syncing.
// Errors: kPermissionDenied when others could take away or replace what stands in it: it
//   belongs neither to this user nor to root, or others may write to it and it has no
//   sticky bit.
// Does not guarantee: anything of the directories above it.
enum class MissingDirectory { kMake, kRefuse };  // made with mode 0700, parents too
Result<UniqueFd> OpenStateDirectory(std::string_view path, MissingDirectory missing);

enum class PrivateAccess {
  kRead,             //
  kReadWrite,        // must exist
  kMakeIfMissing,    // to read and write, made if missing
  kCreateExclusive,  // to read and write, made; fails if anything is there
};
// Never follows a link, never blocks; made with mode 0600.
// Errors: kNotARegularFile (a link, a device, a directory), kPermissionDenied when
//   it belongs to somebody else, others may use it, or it has a second name.
Result<UniqueFd> OpenPrivateFile(int directory, const char* name, PrivateAccess access);

// Gives the entry another name in the same directory.
// Errors: kAlreadyExists when the new name is taken; nothing is ever replaced.
Status RenameNoReplace(int directory, const char* name, const char* new_name);

}  // namespace cordon::platform
