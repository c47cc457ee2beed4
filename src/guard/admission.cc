#include "guard/admission.h"

#include <utility>

#include "base/try.h"
#include "guard/guard.h"
#include "path/posix.h"

namespace cordon::guard {
namespace {

using policy::ToolLevel;

Error Refusal(ErrorCode code, std::string rule, std::string detail) {
  Error error;
  error.code = code;
  error.op = "guard";
  error.rule = std::move(rule);
  error.detail = std::move(detail);
  return error;
}

Error Outside(Violation violation) {
  Error error =
      Refusal(ErrorCode::kPathOutsideProject, "boundary", "the path is outside the boundary");
  error.violation = violation;
  return error;
}

// The operation by which Root::Probe looks at it.
Operation ProbeOperation(Look look) {
  switch (look) {
    case Look::kObject: return Operation::kStat;
    case Look::kFile: return Operation::kCreate;
    case Look::kEntry: return Operation::kDelete;
    case Look::kFreeEntry: return Operation::kMkdir;
    case Look::kAnyEntry: return Operation::kRename;
  }
  return Operation::kStat;
}

Result<confine::Probed> LookAt(const confine::Root& root, std::string_view path, Look look) {
  auto probed = root.Probe(path, ProbeOperation(look));
  if (!probed && look == Look::kAnyEntry && probed.error().code == ErrorCode::kNotFound) {
    return root.Probe(path, Operation::kMkdir);
  }
  return probed;
}

// Absolute, for the root that is all of the host.
std::string HostPath(const Boundary::Located& located) {
  if (located.root == nullptr) return std::string(located.path);
  std::string path = located.root->real_path();
  if (!path.ends_with('/')) path += '/';
  path += located.below;
  return path;
}

}  // namespace

std::string Way::resolved() const {
  if (!probed || root == nullptr) return {};
  std::string path = root->real_path();
  if (probed->path.empty()) return path;
  if (!path.ends_with('/')) path += '/';
  return path + probed->path;
}

Admission::Admission(const Boundary& boundary, const Session& session, const Ledger& ledger,
                     consent::Desk* desk)
    : boundary_(boundary), session_(session), ledger_(ledger), desk_(desk) {}

ToolLevel Admission::LevelOf(const Act& act) const {
  const policy::Settings& settings = boundary_.settings();
  if (settings.protection == policy::Protection::kOff) return ToolLevel::kAllow;
  // The program itself needs nobody's consent to use its own tools.
  if (session_.subject == policy::Subject::kHost) return ToolLevel::kAllow;
  return policy::LevelOf(settings.profile, settings.tools, settings.narrowing_tools, act.call->tool,
                         act.call->kind);
}

bool Admission::LeadsOut(const Error& error) const {
  if (boundary_.outside() == nullptr) return false;
  if (boundary_.settings().protection == policy::Protection::kOff) {
    return error.security_violation();
  }
  return error.code == ErrorCode::kPathOutsideProject &&
         (error.violation == Violation::kTraversal || error.violation == Violation::kSymlink ||
          error.violation == Violation::kAbsolute);
}

Result<Way> Admission::Find(const Act& act, std::string_view untrusted, Reach reach,
                            Look look) const {
  if (LevelOf(act) == ToolLevel::kDeny) {
    return Refusal(ErrorCode::kPermissionDenied, "tool:" + std::string(act.call->tool),
                   "this tool is switched off");
  }
  if (reach == Reach::kOutside) return FindOutside(act, untrusted, look);
  auto admitted = boundary_.Admit(session_.subject, act.operation, untrusted);
  if (admitted) return FindInside(act, **admitted, untrusted);
  const policy::Decision decision = boundary_.Decide(session_.subject, act.operation, untrusted);
  if (decision.verdict == policy::Verdict::kDeny || boundary_.outside() == nullptr) {
    return std::move(admitted.error());
  }
  return FindOutside(act, untrusted, look);
}

Result<Way> Admission::FindInside(const Act& act, const confine::Root& root,
                                  std::string_view untrusted) const {
  Way way;
  way.root = &root;
  way.asked = untrusted;
  const ToolLevel level = LevelOf(act);
  if (level == ToolLevel::kSession && grants_.Trusts(act.call->kind)) {
    way.rule = "grant:tool";
    way.tier = audit::Tier::kPerson;
  } else if (level != ToolLevel::kAllow) {
    way.needs = Way::Needs::kConsent;
    way.reason = consent::Reason::kTool;
  }
  return way;
}

Result<Way> Admission::FindOutside(const Act& act, std::string_view untrusted, Look look) const {
  const confine::Root& host = *boundary_.outside();
  Way way;
  way.root = &host;
  way.asked = untrusted;
  way.own = HostPath(boundary_.Locate(untrusted));
  if (boundary_.settings().protection == policy::Protection::kOff) {
    way.rule = "protection-off";
    return way;
  }
  way.reason = consent::Reason::kOutside;
  way.needs = Way::Needs::kConsent;
  auto probed = LookAt(host, *way.own, look);
  if (!probed) {
    const ErrorCode code = probed.error().code;
    if (code == ErrorCode::kPathDenied) return std::move(probed.error());
    // Whether something is there, a person decides whether the agent may know.
    if (code != ErrorCode::kNotFound && code != ErrorCode::kNotADirectory) {
      return Outside(Violation::kAbsolute);
    }
    confine::Probed missing;
    missing.path = path::CollapseLexically(*way.own);
    probed = std::move(missing);
  }
  way.probed = std::move(*probed);
  way.own = "/" + way.probed->path;
  // Out and back in again is no way in.
  if (boundary_.Locate(*way.own).root != nullptr) return Outside(Violation::kSymlink);
  if (LevelOf(act) == ToolLevel::kAlways) return way;
  if (auto covered = grants_.Covering(host, *way.own)) {
    way.grant = std::move(covered->root);
    way.root = way.grant.get();
    way.own = std::move(covered->below);
    way.probed->path = *way.own == "." ? "" : *way.own;
    way.needs = Way::Needs::kNothing;
    way.rule = "grant:directory";
    way.tier = audit::Tier::kPerson;
  }
  return way;
}

Status Admission::Probe(Way& way, Look look) const {
  if (way.probed) return {};
  TRY_ASSIGN(way.probed, LookAt(*way.root, way.path(), look));
  return {};
}

}  // namespace cordon::guard
