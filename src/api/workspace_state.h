// What a Workspace is made of.
#pragma once

#include <string>
#include <string_view>

#include "cordon/operation.h"
#include "cordon/result.h"
#include "cordon/workspace.h"
#include "guard/boundary.h"
#include "policy/decide.h"

namespace cordon {

struct Workspace::State {
  guard::Boundary boundary;
  policy::Subject subject = policy::Subject::kAgent;

  Result<const confine::Root*> Admit(Operation operation, std::string_view untrusted) const {
    return boundary.Admit(subject, operation, untrusted);
  }
  // The real absolute path that `untrusted` has, or will have once it is made.
  Result<std::string> Resolve(std::string_view untrusted) const;
};

namespace api {

// Says so where a path was not found because the root itself has gone.
Error Explained(const confine::Root& root, Error error);

}  // namespace api
}  // namespace cordon
