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

// A directory is listed, whatever else is told of what is below it.
Result<confine::Probed> LookAtTree(const confine::Root& root, std::string_view path,
                                   Operation act) {
  TRY_ASSIGN(const confine::Probed there, root.Probe(path, Operation::kStat, act));
  const bool directory = there.stat.type == platform::FileType::kDirectory;
  return directory ? root.Probe(path, Operation::kList) : root.Probe(path, Operation::kRead, act);
}

// What is there, under the rules for what is going to be done.
Result<confine::Probed> LookAt(const confine::Root& root, std::string_view path, Look look,
                               Operation act) {
  switch (look) {
    case Look::kObject: return root.Probe(path, act);
    case Look::kTree: return LookAtTree(root, path, act);
    case Look::kFile: {
      auto there = root.Probe(path, Operation::kWrite);
      if (there || there.error().code != ErrorCode::kNotFound) return there;
      // Making a file is an operation of its own, which a rule may refuse alone.
      TRY(root.Probe(path, Operation::kCreate));
      return root.Probe(path, Operation::kCreate, Operation::kWrite);
    }
    case Look::kEntry: return root.Probe(path, Operation::kDelete, act);
    case Look::kFreeEntry: return root.Probe(path, Operation::kMkdir, act);
    case Look::kAnyEntry: break;
  }
  auto there = root.Probe(path, Operation::kRename, act);
  if (there || there.error().code != ErrorCode::kNotFound) return there;
  return root.Probe(path, Operation::kMkdir, act);
}

bool SaysNothingIsThere(const Error& error) {
  return error.code == ErrorCode::kNotFound || error.code == ErrorCode::kNotADirectory;
}

// The same on the host, where no error but a deny rule's may tell what is there.
Result<confine::Probed> LookOutside(const confine::Root& host, const std::string& path, Look look,
                                    Operation act, Way::Sight& sight) {
  auto probed = LookAt(host, path, look, act);
  if (probed || probed.error().code == ErrorCode::kPathDenied) return probed;
  for (const Operation operation : {Operation::kStat, Operation::kMkdir}) {
    probed = host.Probe(path, operation, act);
    if (probed || probed.error().code == ErrorCode::kPathDenied) return probed;
    if (operation == Operation::kStat && !SaysNothingIsThere(probed.error())) {
      sight = Way::Sight::kHidden;
    }
  }
  // Nothing is there, nor where it would be: as much of it as exists, and the rest by text.
  std::string_view existing = path;
  while (existing.size() > 1) {
    existing = existing.substr(0, existing.rfind('/'));
    if (existing.empty()) break;
    probed = host.Probe(existing, Operation::kStat, act);
    if (!probed && probed.error().code == ErrorCode::kPathDenied) return probed;
    if (probed) break;
  }
  confine::Probed missing;
  const std::string rest = path::CollapseLexically(path.substr(existing.size()));
  missing.path = (probed && !probed->path.empty() ? probed->path + "/" : "") + rest;
  return missing;
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
  if ((!probed && !opened) || root == nullptr) return {};
  const std::string& below = opened ? *opened : probed->path;
  std::string path;
  path.reserve(root->real_path().size() + 1 + below.size());
  path += root->real_path();
  if (below.empty()) return path;
  if (!path.ends_with('/')) path += '/';
  path += below;
  return path;
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

bool Admission::IsSpared(const Act& act) const {
  if (act.ruled != Act::Ruled::kAllowed) return false;
  const policy::Settings& settings = boundary_.settings();
  return policy::LevelOf(settings.profile, settings.tools, {}, act.call->tool, act.call->kind) ==
         LevelOf(act);
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
  if (act.ruled == Act::Ruled::kAsked) {
    way.needs = Way::Needs::kConsent;
    way.reason = consent::Reason::kRule;
  } else if (IsSpared(act)) {
    way.rule = act.command_rule;
  } else if (level == ToolLevel::kSession && grants_.Trusts(act.call->kind)) {
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
  auto probed = LookOutside(host, *way.own, look, act.operation, way.sight);
  // Which rule, and at which name, would tell what lies outside.
  if (!probed) return Outside(Violation::kDenylist);
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

Status Admission::Probe(const Act& act, Way& way, Look look) const {
  if (way.probed) return {};
  TRY_ASSIGN(way.probed, LookAt(*way.root, way.path(), look, act.operation));
  return {};
}

}  // namespace cordon::guard
