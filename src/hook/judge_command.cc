// Shell commands: every file that the text names is judged like a path; what the text does
// not tell is left to a person.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/printable.h"
#include "hook/added_rules.h"
#include "hook/glob.h"
#include "hook/judge.h"
#include "hook/patch_paths.h"
#include "path/posix.h"

namespace cordon::hook {
namespace {

using policy::ToolKind;
using shell::Access;
using shell::Exactness;
using shell::Extent;
using shell::FileUse;
using shell::Start;

// They hold nothing and keep nothing.
constexpr std::array<std::string_view, 9> kHarmless{"/dev/null",   "/dev/zero",    "/dev/full",
                                                    "/dev/random", "/dev/urandom", "/dev/stdin",
                                                    "/dev/stdout", "/dev/stderr",  "/dev/tty"};

bool IsHarmless(std::string_view path) {
  return std::find(kHarmless.begin(), kHarmless.end(), path) != kHarmless.end();
}

Operation OperationOf(Access access) {
  switch (access) {
    case Access::kWrite: return Operation::kWrite;
    case Access::kDelete: return Operation::kDelete;
    case Access::kRead:
    case Access::kExecute:
    case Access::kEnter: return Operation::kRead;
  }
  return Operation::kWrite;
}

// Whether the text of a path below a root leads into a ".git", and to which of its files.
// ".." may lead elsewhere, so there is none in it.
std::optional<std::string_view> InsideGit(std::string_view below) {
  if (below.find("..") != std::string_view::npos) return std::nullopt;
  path::Components components(below);
  for (std::string_view name = components.Next(); !name.empty(); name = components.Next()) {
    if (name == ".git") return components.rest();
  }
  return std::nullopt;
}

bool IsNothing(std::string_view below) { return path::Components(below).Next().empty(); }

// As deleting the tree with Cordon's own tools would find.
bool HoldsDenied(const confine::Root& root, const confine::Probed& top) {
  confine::WalkLimits limits;
  limits.max_entries = 100'000;
  const Status walked =
      root.WalkProbed(top, limits, [](const confine::ProbedEntry&) { return Status(); });
  return !walked && walked.error().code == ErrorCode::kPathDenied;
}

// A glob whose matches were judged is no longer unknown.
bool WasJudged(const shell::Unknown& unknown, const shell::Explanation& explanation) {
  return std::any_of(explanation.files.begin(), explanation.files.end(), [&](const FileUse& use) {
    return use.exactness == Exactness::kPattern && use.start != Start::kUnknown &&
           use.path == unknown.text;
  });
}

std::string Word(Access access) {
  switch (access) {
    case Access::kRead: return "read";
    case Access::kWrite: return "write";
    case Access::kDelete: return "delete";
    case Access::kExecute: return "run";
    case Access::kEnter: return "enter";
  }
  return "use";
}

}  // namespace

Verdict Judge::JudgeCommand(const CommandUse& command) {
  const std::string cwd = Absolute(command.cwd, event_.cwd);
  Verdict verdict;
  if (HoldsPatch(command.text)) {
    for (const PathUse& use : PathsOfPatch(command.text)) {
      verdict.Add(
          JudgeBothReadings({use.path, use.operation, ToolKind::kWrite}, Absolute(use.path, cwd)));
    }
  }
  const shell::Explanation explanation = parts_.explain(command.text);
  for (const FileUse& use : explanation.files) {
    if (verdict.answer == Answer::kDeny) return verdict;
    verdict.Add(JudgeFile(use, cwd));
  }
  for (const FileUse& use : explanation.mentions) {
    if (verdict.answer == Answer::kDeny) return verdict;
    verdict.Add(JudgeMentioned(use, cwd));
  }
  if (verdict.answer == Answer::kDeny) return verdict;
  if (command.certainty == CommandUse::Certainty::kTyped) {
    verdict.Add(JudgeTyped(command, explanation));
    if (verdict.answer == Answer::kDeny) return verdict;
  }
  const auto ruling = shell::JudgeByRules(explanation, parts_.boundary.settings().commands);
  if (!ruling) {
    verdict.Add(JudgeUnknowns(command, explanation));
  } else if (ruling->action != policy::CommandAction::kAllow) {
    verdict.Add(JudgeRuled(command, *ruling));
  }
  return verdict;
}

Verdict Judge::JudgeRuled(const CommandUse& command, const shell::CommandVerdict& ruling) {
  const std::string rule = ruling.rule.name();
  const std::string why = Printable(ruling.Why()) + " (rule " + Printable(rule) + ")";
  if (ruling.action == policy::CommandAction::kDeny) {
    return Whole(Answer::kDeny, command.text, rule,
                 "Cordon refuses this command: " + why + ". Do not retry it; ask the user.");
  }
  const bool perhaps = ruling.certainty == shell::CommandVerdict::Certainty::kPerhaps;
  if (perhaps && command.certainty == CommandUse::Certainty::kPerhaps) return {};
  if (perhaps && parts_.unknowns == Unknowns::kDeny) {
    return Whole(Answer::kDeny, command.text, rule,
                 "Cordon refuses this command: " + why + ". Use plain words, one step at a time.");
  }
  return Whole(Answer::kAsk, command.text, rule,
               "Cordon: look at this command before it runs: " + why + ".");
}

// What is typed may be for a shell that waits for the rest, or for no shell at all.
Verdict Judge::JudgeTyped(const CommandUse& command, const shell::Explanation& explanation) {
  const bool unreadable =
      std::any_of(explanation.reasons.begin(), explanation.reasons.end(),
                  [](const shell::Reason& reason) { return reason.code == "unreadable"; });
  if (unreadable || command.text.ends_with("\\\n")) {
    return Whole(Answer::kDeny, command.text, "hook",
                 "Cordon: what is to be typed cannot be read as whole commands. Type one whole "
                 "command at a time.");
  }
  Verdict verdict;
  for (const std::string& word : shell::TextsInCode(command.text)) {
    if (verdict.answer == Answer::kDeny) return verdict;
    verdict.Add(JudgeMention({word, Operation::kRead, ToolKind::kShell},
                             Absolute(word, Absolute(command.cwd, event_.cwd))));
  }
  return verdict;
}

std::optional<std::string> Judge::PlaceOf(const FileUse& use, const std::string& cwd) const {
  if (use.exactness == Exactness::kUnknown || use.start == Start::kUnknown) return std::nullopt;
  if (use.start != Start::kHome) return Absolute(use.path, cwd);
  if (parts_.home.empty() || !use.path.starts_with('~')) return std::nullopt;
  return parts_.home + use.path.substr(1);
}

Verdict Judge::JudgeFile(const FileUse& use, const std::string& cwd) {
  if (use.path.empty() || use.access == Access::kEnter) return {};
  const Named named{use.path, OperationOf(use.access), ToolKind::kShell};
  const std::optional<std::string> absolute = PlaceOf(use, cwd);
  if (!absolute && use.start == Start::kHome && use.exactness != Exactness::kUnknown) {
    return Whole(
        Answer::kDeny, use.path, "hook",
        "Cordon: it is not known where " + Quoted(use.path) + " is. Use a path below the project.");
  }
  if (!absolute) return JudgeNames(named);
  if (IsHarmless(*absolute)) return {};
  // Programs are run from everywhere; those in the workspace are files of it.
  if (use.access == Access::kExecute && parts_.boundary.Locate(*absolute).root == nullptr) {
    return {};
  }
  if (use.exactness == Exactness::kPattern && HasWildcard(use.path)) {
    return JudgePattern(named, *absolute);
  }
  return JudgeExactFile(named, use, *absolute);
}

// What may be a file, and may be used: refused if a rule says so, and else no matter.
Verdict Judge::JudgeMentioned(const FileUse& use, const std::string& cwd) {
  Named named{use.path, OperationOf(use.access), ToolKind::kShell};
  const std::optional<std::string> absolute = PlaceOf(use, cwd);
  if (!absolute) return JudgeNames(named);
  if (IsHarmless(*absolute)) return {};
  if (use.exactness == Exactness::kPattern && HasWildcard(use.path)) {
    return JudgeMatches(named, *absolute, Dots::kWrittenOut);
  }
  const bool inside = parts_.boundary.Locate(*absolute).root != nullptr;
  if (use.access == Access::kDelete) {  // moved away, with all below it
    named.operation = Operation::kRename;
    return inside ? JudgeTree(named, *absolute, ground_) : Verdict();
  }
  if (use.access == Access::kWrite) {
    return inside ? JudgeExactFile(named, use, *absolute) : Verdict();
  }
  if (std::optional<Verdict> in_git = JudgeInGit(named, use, *absolute)) return *in_git;
  return JudgeMention(named, *absolute);
}

// git works in .git, so commands may, but not where it would make programs run later, nor in
// what other rules cover. The file tools get none of it.
std::optional<Verdict> Judge::JudgeInGit(const Named& named, const FileUse& use,
                                         const std::string& absolute) {
  const guard::Boundary::Located located = parts_.boundary.Locate(absolute);
  if (located.root == nullptr) return std::nullopt;
  const auto found = located.root->options().deny->Check(located.below, named.operation);
  if (!found.denied || !IsDefaultGitRule(*found.denied->rule)) return std::nullopt;
  const std::optional<std::string_view> inside = InsideGit(located.below);
  if (!inside) return std::nullopt;
  if (IsNothing(*inside)) {
    const bool git_writes = use.access == Access::kWrite && use.by == "git";
    return use.access == Access::kRead || git_writes ? std::optional<Verdict>(Verdict())
                                                     : std::nullopt;
  }
  const guard::Boundary::Located there = parts_.in_git.Locate(absolute);
  if (there.root == nullptr) return std::nullopt;
  // In another case they may still be the same to the file system.
  if (!there.root->options().deny->Check(there.below, named.operation).clear()) {
    return std::nullopt;
  }
  Verdict verdict = JudgeBothReadings(named, absolute, in_git_);
  if (use.extent == Extent::kTree && verdict.answer != Answer::kDeny) {
    verdict.Add(JudgeTree(named, absolute, in_git_));
  }
  return verdict;
}

Verdict Judge::JudgeExactFile(const Named& named, const FileUse& use, const std::string& absolute) {
  if (std::optional<Verdict> in_git = JudgeInGit(named, use, absolute)) return *in_git;
  Verdict verdict = JudgeBothReadings(named, absolute);
  if (use.extent == Extent::kTree && verdict.answer != Answer::kDeny)
    verdict.Add(JudgeTree(named, absolute, ground_));
  return verdict;
}

// What a change of a whole tree would reach beside what its name says: places that rules
// cover by their path, and, before it is deleted, what really lies there.
Verdict Judge::JudgeTree(const Named& named, const std::string& absolute, const Ground& ground) {
  if (IsReadOnly(named.operation)) return {};
  const guard::Boundary::Located located = ground.boundary.Locate(absolute);
  if (located.root == nullptr) return {};
  const std::string below = path::CollapseLexically(located.below);
  bool covered = located.root->options().deny->CoversBelow(below, named.operation);
  if (!covered && named.operation == Operation::kDelete) {
    const auto found = located.root->Probe(located.path, Operation::kDelete);
    if (found && found->exists) covered = HoldsDenied(*located.root, *found);
  }
  if (!covered) return {};
  std::string reason = "Cordon refuses to ";
  reason += OperationName(named.operation);
  reason += " all of " + Quoted(named.asked);
  reason +=
      ": a deny rule covers something below it (rule deny-list). Name the files or "
      "directories you mean.";
  return Whole(Answer::kDeny, named.asked, "deny-list", std::move(reason));
}

Verdict Judge::JudgeUnknowns(const CommandUse& command, const shell::Explanation& explanation) {
  std::string what;
  for (const FileUse& use : explanation.files) {
    if (use.exactness != Exactness::kUnknown && use.start != Start::kUnknown) continue;
    what = "it is not known what it would ";
    what.append(Word(use.access)).append(" as ").append(Quoted(use.path));
    break;
  }
  for (const shell::Unknown& unknown : explanation.unknown) {
    if (!what.empty()) break;
    if (WasJudged(unknown, explanation)) continue;
    what = "not all of it can be known: ";
    what.append(Printable(unknown.why)).append(" (").append(Quoted(unknown.text)).append(")");
  }
  const bool high = explanation.risk == shell::Risk::kHigh;
  if (what.empty() && high && !explanation.reasons.empty()) {
    what = Printable(explanation.reasons.front().text);
  }
  if (what.empty() && !high) return {};
  if (what.empty()) what = "its risk is high";
  if (command.certainty == CommandUse::Certainty::kPerhaps) return {};
  if (parts_.unknowns == Unknowns::kDeny) {
    return Whole(Answer::kDeny, command.text, "hook:strict",
                 "Cordon refuses this command, because " + what +
                     ". Use plain words and paths below the project, one step at a time.");
  }
  // A hook only advises; where nobody can be asked, what is known was fine.
  if (AskingAt(event_) != Asking::kHere) return {};
  return Whole(Answer::kAsk, command.text, "hook:unknown",
               "Cordon: look at this command before it runs, because " + what + ".");
}

}  // namespace cordon::hook
