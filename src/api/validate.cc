#include <string>
#include <utility>

#include "api/workspace_state.h"
#include "base/try.h"
#include "cordon/path_not_allowed.h"
#include "cordon/workspace.h"
#include "path/posix.h"

namespace cordon {
namespace {

std::string Joined(const std::string& directory, std::string_view below) {
  std::string joined = directory;
  if (below.empty()) return joined;
  if (!joined.ends_with('/')) joined += '/';
  joined += below;
  return joined;
}

Error LeavesRoot() {
  Error error;
  error.code = ErrorCode::kPathOutsideProject;
  error.violation = Violation::kTraversal;
  error.op = "validate";
  error.rule = "boundary";
  error.component = "..";
  error.detail = "\"..\" leads above the root";
  return error;
}

// The path that `below` will have once its missing part is made. The part that
// exists is resolved by the root; only what is missing is read as text, where
// no link can be.
Result<std::string> FuturePath(const confine::Root& root, std::string_view below) {
  std::string existing;
  path::Components components(below);
  std::string_view tail = below;
  for (std::string_view part = components.Next(); !part.empty(); part = components.Next()) {
    const auto end = static_cast<std::size_t>(part.data() + part.size() - below.data());
    auto probed = root.Probe(below.substr(0, end), Operation::kStat);
    if (!probed) {
      if (probed.error().code != ErrorCode::kNotFound) return Error(std::move(probed.error()));
      break;
    }
    existing = std::move(probed->path);
    tail = components.rest();
  }
  std::string whole = path::CollapseLexically(existing + "/" + std::string(tail));
  if (path::Components(whole).Next() == "..") return LeavesRoot();
  if (root.options().deny) {
    const auto verdict = root.options().deny->Check(whole, Operation::kRead);
    if (verdict.denied) {
      Error error;
      error.code = ErrorCode::kPathDenied;
      error.violation = Violation::kDenylist;
      error.op = "validate";
      error.rule = "deny:" + verdict.denied->rule->pattern;
      error.component = verdict.denied->name;
      error.detail = "a deny rule covers this path";
      return error;
    }
  }
  return whole;
}

}  // namespace

PathValidation Workspace::Validate(std::string_view path, Operation operation) const {
  PathValidation validation;
  const auto refuse = [&](const Error& error) {
    validation.error = PathRefusal::Of(error, path);
    validation.violation_reason = validation.error->message;
    return validation;
  };
  const auto root = state_->Admit(operation, path);
  if (!root) return refuse(root.error());
  const auto probed = (*root)->Probe(path, operation);
  if (!probed) return refuse(api::Explained(**root, probed.error()));
  validation.allowed = true;
  validation.exists = probed->exists;
  validation.absolute_path = Joined((*root)->real_path(), probed->path);
  validation.relative_path = probed->path.empty() ? "." : probed->path;
  return validation;
}

Result<std::string> Workspace::State::Resolve(std::string_view untrusted) const {
  TRY_ASSIGN(const confine::Root* root, Admit(Operation::kRead, untrusted));
  auto probed = root->Probe(untrusted, Operation::kStat);
  // A name to be made, perhaps through a link that dangles inside.
  if (!probed && probed.error().code == ErrorCode::kNotFound &&
      root->options().access == confine::RootAccess::kReadWrite) {
    probed = root->Probe(untrusted, Operation::kCreate);
  }
  if (probed) return Joined(root->real_path(), probed->path);
  if (probed.error().code != ErrorCode::kNotFound) return Error(std::move(probed.error()));
  TRY_ASSIGN(std::string below, FuturePath(*root, boundary.Locate(untrusted).below));
  return Joined(root->real_path(), below);
}

bool Workspace::IsPathAllowed(std::string_view path) const {
  return state_->Resolve(path).has_value();
}

std::string Workspace::ValidatePath(std::string_view path) const {
  Result<std::string> resolved = state_->Resolve(path);
  if (!resolved) throw PathNotAllowedError(path, std::move(resolved.error()));
  return std::move(*resolved);
}

}  // namespace cordon
