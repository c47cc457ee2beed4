// GET and HEAD of files and directories.
#pragma once

#include "serve/call.h"
#include "serve/context.h"

namespace cordon::serve {

// A file's bytes, all or a range of them, or a directory's entries.
void ReadPath(const Context& context, Call& call, const Reply& reply);

}  // namespace cordon::serve
