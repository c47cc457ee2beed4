// The verdict on one request, found without doing any of it.
#pragma once

#include <string_view>

#include "confine/root.h"
#include "cordon/operation.h"
#include "cordon/result.h"
#include "guard/boundary.h"

namespace cordon::cli {

struct Judged {
  const confine::Root* root = nullptr;  // where it lies
  confine::Probed found;
};

// What an agent that asked for this now would get.
// Guarantees: nothing is created, changed or opened for reading.
Result<Judged> Judge(const guard::Boundary& boundary, Operation operation,
                     std::string_view untrusted);

// The new name of a rename. It need not exist; its directory must.
Result<Judged> JudgeRenameTarget(const guard::Boundary& boundary, std::string_view untrusted);

// "regular file", "directory", ...
std::string_view FileTypeName(platform::FileType type);
// "openat2" or "walk".
std::string_view ResolverName(confine::Resolver resolver);
// "workspace", "read-only root", ...
std::string_view ZoneName(policy::Zone zone);

}  // namespace cordon::cli
