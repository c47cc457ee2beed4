// What a file has beside content, owner and mode: extended attributes, and the access
// control list that is kept among them.
#pragma once

#include <vector>

#include "cordon/result.h"
#include "platform/attribute.h"

namespace cordon::platform {

// Copies what users have attached to a file. Never what the system has: capabilities
// and the like must not pass to new content. A file system without any has none.
Status CopyUserAttributes(int from, int to);

// Gives `to` the access control list of `from`, or none if that has none, so that what
// `to` has inherited from its directory is gone.
Status CopyAccessList(int from, int to);
Status RemoveAccessList(int fd);

// What the two above would copy, for who keeps it elsewhere. A file system without any
// has none.
Result<std::vector<Attribute>> ReadAttributes(int fd);
// Gives a file what ReadAttributes read; other names than it reads are an error.
Status WriteAttributes(int fd, const std::vector<Attribute>& attributes);

}  // namespace cordon::platform
