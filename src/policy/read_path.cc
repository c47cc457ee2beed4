#include "policy/read_path.h"

#include <utility>

#include "base/try.h"

namespace cordon::policy {
namespace {

Error Denied(const DenyList::Match& match) {
  Error error;
  error.code = ErrorCode::kPathDenied;
  error.violation = Violation::kDenylist;
  error.op = "check names";
  error.rule = "deny:" + match.rule->pattern;
  error.component = match.name;
  error.detail = match.rule->reason.empty() ? "a deny rule covers this name" : match.rule->reason;
  return error;
}

}  // namespace

Status CheckNames(const TextBoundary& boundary, std::string_view names, Operation operation) {
  if (boundary.deny == nullptr) return {};
  const DenyList::Verdict verdict = boundary.deny->Check(names, operation);
  if (verdict.denied) return Denied(*verdict.denied);
  for (const DenyList::Match& suspect : verdict.suspects) {
    if (path::Any(suspect.when & boundary.rules)) return Denied(suspect);
  }
  return {};
}

Result<path::ParsedPath> ReadPath(const TextBoundary& boundary, std::string_view untrusted,
                                  Operation operation) {
  Result<path::ParsedPath> parsed = path::Parse(boundary.grammar, untrusted, boundary.roots);
  if (!parsed && parsed.error().code == ErrorCode::kPathOutsideProject) return parsed;
  TRY(CheckNames(boundary, path::NamesBelowRoot(boundary.grammar, untrusted, boundary.roots),
                 operation));
  return parsed;
}

}  // namespace cordon::policy
