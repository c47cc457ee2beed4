// What a file has beside content, owner and mode: extended attributes, and the access
// control list that is kept among them.
#pragma once

#include "cordon/result.h"

namespace cordon::platform {

// Copies what users have attached to a file. Never what the system has: capabilities
// and the like must not pass to new content. A file system without any has none.
Status CopyUserAttributes(int from, int to);

// Gives `to` the access control list of `from`, or none if that has none, so that what
// `to` has inherited from its directory is gone.
Status CopyAccessList(int from, int to);
Status RemoveAccessList(int fd);

}  // namespace cordon::platform
