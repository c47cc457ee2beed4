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

// Which of the two paths of a rename a refusal is about.
enum class RenameEnd { kFrom, kTo };

// Both ends of a rename, and whether they go together. Sets `at` to the end that
// is refused. The source is returned.
// Does not foresee: a directory in the way that is not empty, a rename across
//   file systems.
Result<Judged> JudgeRename(const guard::Boundary& boundary, std::string_view from,
                           std::string_view to, RenameEnd& at);

// "regular file", "directory", ...
std::string_view FileTypeName(platform::FileType type);
// "openat2" or "walk".
std::string_view ResolverName(confine::Resolver resolver);
// "workspace", "read-only root", ...
std::string_view ZoneName(policy::Zone zone);

}  // namespace cordon::cli
