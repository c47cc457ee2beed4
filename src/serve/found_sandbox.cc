#include "serve/found_sandbox.h"

#include <utility>

#include "serve/problem.h"

namespace cordon::serve {

net::HttpResponse LifeProblem(const Error& error) {
  if (error.code == ErrorCode::kNotFound) return NoSuchObject();
  if (error.code == ErrorCode::kStaleFile) {
    return Problem(409, "CONFLICT", "the sandbox is not in a state for that");
  }
  return ProblemOf(error);
}

OrProblem<store::Sandbox> FindSandbox(const Context& context, const Call& call) {
  const auto id = SandboxId::Parse(call.Parameter("id"));
  if (!id) return {std::nullopt, NoSuchObject()};
  auto found = context.sandboxes->Find(call.caller.user, *id);
  if (!found) return {std::nullopt, LifeProblem(found.error())};
  return {std::move(*found), {}};
}

OrProblem<provision::Sandboxes::Lease> UseSandbox(const Context& context, const Call& call) {
  auto found = FindSandbox(context, call);
  if (!found.value) return {std::nullopt, std::move(found.problem)};
  auto lease = context.sandboxes->Use(call.caller.user, found.value->id);
  if (lease) return {std::move(*lease), {}};
  if (lease.error().code == ErrorCode::kSandboxRequired) {
    return {std::nullopt, Problem(409, "SANDBOX_REQUIRED", kSandboxRequired)};
  }
  return {std::nullopt, LifeProblem(lease.error())};
}

}  // namespace cordon::serve
