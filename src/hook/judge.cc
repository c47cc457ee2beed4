#include "hook/judge.h"

#include <algorithm>
#include <utility>

#include "base/printable.h"
#include "hook/glob.h"
#include "path/posix.h"

namespace cordon::hook {
namespace {

using guard::Act;
using guard::Look;
using guard::Reach;
using guard::Way;
using policy::ToolKind;

guard::Session SessionOf(const Event& event) {
  guard::Session session;
  session.id = event.session;
  session.actor = AgentName(event.agent);
  return session;
}

audit::Event EventOf(Operation operation) {
  switch (operation) {
    case Operation::kRead: return audit::Event::kFileRead;
    case Operation::kWrite:
    case Operation::kCreate: return audit::Event::kFileWrite;
    case Operation::kDelete: return audit::Event::kFileDelete;
    case Operation::kList: return audit::Event::kFileList;
    case Operation::kStat: return audit::Event::kFileStat;
    case Operation::kMkdir: return audit::Event::kDirectoryCreate;
    case Operation::kRename: return audit::Event::kFileRename;
  }
  return audit::Event::kFileRead;
}

Look LookFor(Operation operation) {
  switch (operation) {
    case Operation::kWrite:
    case Operation::kCreate: return Look::kFile;
    case Operation::kDelete: return Look::kEntry;
    case Operation::kMkdir: return Look::kFreeEntry;
    case Operation::kRename: return Look::kAnyEntry;
    case Operation::kRead:
    case Operation::kList:
    case Operation::kStat: return Look::kObject;
  }
  return Look::kObject;
}

// What only says that the tool will fail, or do something else first, inside the boundary.
bool IsOrdinary(const Error& error) {
  if (error.security_violation()) return false;
  return error.code == ErrorCode::kNotFound || error.code == ErrorCode::kIsADirectory ||
         error.code == ErrorCode::kNotADirectory || error.code == ErrorCode::kAlreadyExists ||
         error.code == ErrorCode::kNotARegularFile;
}

}  // namespace

Judge::Judge(Parts parts, const Event& event)
    : parts_(std::move(parts)),
      event_(event),
      session_(SessionOf(event)),
      ledger_(parts_.recorder, session_, audit::Protection::kOn),
      ground_{parts_.boundary, {parts_.boundary, session_, ledger_, nullptr}},
      in_git_{parts_.in_git, {parts_.in_git, session_, ledger_, nullptr}} {}

Verdict Judge::Decide() {
  Verdict verdict;
  verdict.Add(JudgeTool());
  for (const PathUse& use : event_.paths) {
    if (verdict.answer == Answer::kDeny) return verdict;
    verdict.Add(JudgeUse(use, event_.kind));
  }
  for (const std::string& mention : event_.mentions) {
    if (verdict.answer == Answer::kDeny) return verdict;
    verdict.Add(
        JudgeMention({mention, Operation::kRead, event_.kind}, Absolute(mention, event_.cwd)));
  }
  for (const CommandUse& command : event_.commands) {
    if (verdict.answer == Answer::kDeny) return verdict;
    verdict.Add(JudgeCommand(command));
  }
  return verdict;
}

// Only what a configuration says of the tool counts. That a profile has its own tools ask is
// left out: these are the agent's, which has its own way of asking about them.
Verdict Judge::JudgeTool() {
  const policy::Settings& settings = parts_.boundary.settings();
  std::vector<policy::ToolRule> rules = settings.tools;
  std::vector<policy::ToolRule> narrowing = settings.narrowing_tools;
  if (event_.touches_nothing()) {
    // Of what kind it is, is not known, so only its name counts.
    const auto is_other = [this](const policy::ToolRule& rule) { return rule.name != event_.tool; };
    std::erase_if(rules, is_other);
    std::erase_if(narrowing, is_other);
  }
  const policy::ToolLevel level =
      policy::LevelOf(policy::Profile::kStrict, rules, narrowing, event_.tool, event_.kind);
  if (level == policy::ToolLevel::kAllow) return {};
  const std::string rule = "tool:" + event_.tool;
  if (level == policy::ToolLevel::kDeny) {
    return Whole(Answer::kDeny, {}, rule,
                 "Cordon: the tool " + Quoted(event_.tool) +
                     " is switched off by the configuration. Do not retry; work without it.");
  }
  return Whole(Answer::kAsk, {}, rule,
               "Cordon: the configuration wants a person to agree to every use of " +
                   Quoted(event_.tool) + ".");
}

std::string Judge::Absolute(std::string_view path, std::string_view base) const {
  if (path.starts_with('/')) return std::string(path);
  std::string absolute(base);
  absolute += '/';
  absolute += path;
  return absolute;
}

namespace {

// "~name" and "~name/x", which some tools take for somebody's home.
bool IsSomebodysHome(std::string_view path) {
  if (!path.starts_with('~')) return false;
  const std::string_view name = path.substr(1, path.find('/') - 1);
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || c == '+';
  });
}

}  // namespace

Verdict Judge::JudgeReading(const PathUse& use, const Named& named, const std::string& absolute) {
  if (use.form == PathUse::Form::kPath) return JudgeBothReadings(named, absolute);
  return JudgeToolGlob(use, named, absolute);
}

Verdict Judge::JudgeUse(const PathUse& use, ToolKind kind) {
  const Named named{use.path, use.operation, kind};
  Verdict verdict = JudgeReading(use, named, Absolute(use.path, event_.cwd));
  if (verdict.answer == Answer::kDeny) return verdict;
  // Some agents' tools take these for the home directory, or for a mark to be dropped.
  const bool own_home = use.path == "~" || use.path.starts_with("~/");
  if (IsSomebodysHome(use.path) || (own_home && parts_.home.empty())) {
    verdict.Add(Whole(Answer::kDeny, use.path, "hook",
                      "Cordon: it is not known where " + Quoted(use.path) +
                          " is. Use a path below the project."));
  } else if (own_home) {
    verdict.Add(JudgeReading(use, named, parts_.home + use.path.substr(1)));
  } else if (use.path.starts_with('@')) {
    verdict.Add(
        JudgeReading(use, named, Absolute(std::string_view(use.path).substr(1), event_.cwd)));
    const std::size_t rest = use.path.find_first_not_of("@/");
    if (rest != std::string::npos) {
      verdict.Add(JudgeReading(use, named, Absolute(use.path.substr(rest), event_.cwd)));
    }
  }
  return verdict;
}

Verdict Judge::JudgeBothReadings(const Named& named, const std::string& absolute) {
  return JudgeBothReadings(named, absolute, ground_);
}

Verdict Judge::JudgeBothReadings(const Named& named, const std::string& absolute, Ground& ground) {
  Verdict verdict = JudgePath(named, absolute, ground);
  if (verdict.answer == Answer::kDeny || absolute.find("..") == std::string::npos) return verdict;
  const std::string collapsed = "/" + path::CollapseLexically(absolute);
  if (collapsed != absolute) verdict.Add(JudgePath(named, collapsed, ground));
  return verdict;
}

Verdict Judge::JudgePath(const Named& named, const std::string& absolute, Ground& ground) {
  const guard::Call call = CallOf(named);
  const Act act = ActOf(call, named);
  const Look look = LookFor(named.operation);
  for (const Reach reach : {Reach::kAsLocated, Reach::kOutside}) {
    Result<Way> way = ground.admission.Find(act, absolute, reach, look);
    if (!way) return Refused(act, way.error());
    const Status probed = ground.admission.Probe(act, *way, look);
    if (!probed) {
      if (reach == Reach::kAsLocated && ground.admission.LeadsOut(probed.error())) continue;
      if (!IsOrdinary(probed.error())) return Refused(act, probed.error());
      if (!MayBecomeDenied(named, absolute, ground)) return {};
      Error error = probed.error();
      error.code = ErrorCode::kPathDenied;
      error.violation = Violation::kDenylist;
      error.detail = "in a directory that is not there yet, a deny rule may cover this name";
      return Refused(act, error);
    }
    const bool outside =
        way->needs == Way::Needs::kConsent && way->reason == consent::Reason::kOutside;
    return outside ? AskAbout(act, *way) : Verdict();
  }
  Error error;
  error.code = ErrorCode::kPathOutsideProject;
  error.rule = "boundary";
  return Refused(act, error);
}

// Names that are denied on some file systems are judged where the directory is known. One
// that will be made first is not.
bool Judge::MayBecomeDenied(const Named& named, const std::string& absolute, const Ground& ground) {
  if (IsReadOnly(named.operation) || named.operation == Operation::kDelete) return false;
  const guard::Boundary::Located located = ground.boundary.Locate(absolute);
  if (located.root == nullptr) return true;
  return !located.root->options().deny->Check(located.below, named.operation).clear();
}

Verdict Judge::JudgeMention(const Named& named, const std::string& absolute) {
  const guard::Call call = CallOf(named);
  const Act act = ActOf(call, named);
  const Look look = LookFor(named.operation);
  for (const Reach reach : {Reach::kAsLocated, Reach::kOutside}) {
    Result<Way> way = ground_.admission.Find(act, absolute, reach, look);
    Error error;
    if (way) {
      const Status probed = ground_.admission.Probe(act, *way, look);
      if (probed) return {};
      error = probed.error();
      if (reach == Reach::kAsLocated && ground_.admission.LeadsOut(error)) continue;
    } else {
      error = way.error();
    }
    return error.violation == Violation::kDenylist ? Refused(act, error) : Verdict();
  }
  return {};
}

guard::Call Judge::CallOf(const Named& named) const {
  guard::Call call;
  call.tool = event_.tool;
  call.kind = named.kind;
  return call;
}

Act Judge::ActOf(const guard::Call& call, const Named& named) {
  Act act;
  act.call = &call;
  act.event = EventOf(named.operation);
  act.operation = named.operation;
  act.asked = named.asked;
  return act;
}

}  // namespace cordon::hook
