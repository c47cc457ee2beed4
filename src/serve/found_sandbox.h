// The sandbox that a request's path names, for the one who may have it.
#pragma once

#include <optional>

#include "net/http_message.h"
#include "provision/sandboxes.h"
#include "serve/call.h"
#include "serve/context.h"

namespace cordon::serve {

// One of the two; `problem` is the same for a missing one and somebody else's.
template <typename T>
struct OrProblem {
  std::optional<T> value;
  net::HttpResponse problem;
};

OrProblem<store::Sandbox> FindSandbox(const Context& context, const Call& call);
// Ready, and kept so while the lease lives.
OrProblem<provision::Sandboxes::Lease> UseSandbox(const Context& context, const Call& call);

// What a change of state failed with: kStaleFile is a conflict here.
net::HttpResponse LifeProblem(const Error& error);

}  // namespace cordon::serve
