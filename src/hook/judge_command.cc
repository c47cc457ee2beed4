// Shell commands: every file that the text names is judged like a path; what the text does
// not tell is left to a person.
#include <algorithm>
#include <array>
#include <utility>

#include "base/printable.h"
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

// git works in .git, so commands may, but not where it would make programs run later, nor in
// what other rules cover. The file tools get none of it.
bool IsWorkOfGit(std::string_view below, const FileUse& use, const policy::DenyList& rules) {
  constexpr std::array<std::string_view, 5> kHeads{"HEAD", "FETCH_HEAD", "ORIG_HEAD", "MERGE_HEAD",
                                                   "COMMIT_EDITMSG"};
  if (below.find("..") != std::string_view::npos) return false;
  path::Components components(below);
  if (components.Next() != ".git") return false;
  const std::string_view inside = components.rest();
  const std::string_view next = components.Next();
  if (next.empty()) return use.access == Access::kRead;
  if (!rules.Check(inside, OperationOf(use.access)).clear()) return false;
  if (std::find(kHeads.begin(), kHeads.end(), next) != kHeads.end()) return true;
  // In another case they may still be the same to the file system.
  const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  if (std::any_of(next.begin(), next.end(), is_upper)) return false;
  return next != "hooks" && next != "config";
}

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
  if (verdict.answer == Answer::kDeny) return verdict;
  verdict.Add(JudgeUnknowns(command, explanation));
  return verdict;
}

Verdict Judge::JudgeFile(const FileUse& use, const std::string& cwd) {
  if (use.exactness == Exactness::kUnknown || use.start == Start::kUnknown) return {};
  if (use.path.empty() || use.access == Access::kEnter) return {};
  std::string absolute;
  if (use.start == Start::kHome) {
    if (parts_.home.empty() || !use.path.starts_with('~')) {
      return Whole(Answer::kDeny, use.path, "hook",
                   "Cordon: it is not known where " + Quoted(use.path) +
                       " is. Use a path below the project.");
    }
    absolute = parts_.home + use.path.substr(1);
  } else {
    absolute = Absolute(use.path, cwd);
  }
  if (IsHarmless(absolute)) return {};
  // Programs are run from everywhere; those in the workspace are files of it.
  if (use.access == Access::kExecute && parts_.boundary.Locate(absolute).root == nullptr) return {};
  const Named named{use.path, OperationOf(use.access), ToolKind::kShell};
  if (use.exactness == Exactness::kPattern && HasWildcard(use.path)) {
    return JudgePattern(named, absolute);
  }
  return JudgeExactFile(named, use, absolute);
}

Verdict Judge::JudgeExactFile(const Named& named, const FileUse& use, const std::string& absolute) {
  const guard::Boundary::Located located = parts_.boundary.Locate(absolute);
  if (located.root != nullptr) {
    const policy::DenyList& rules = *located.root->options().deny;
    const auto found = rules.Check(located.below, named.operation);
    if (found.denied && found.denied->rule->pattern == ".git" &&
        found.denied->rule->origin == "default" && IsWorkOfGit(located.below, use, rules)) {
      return {};
    }
  }
  Verdict verdict = JudgeBothReadings(named, absolute);
  if (use.extent == Extent::kTree && verdict.answer != Answer::kDeny)
    verdict.Add(JudgeTree(named, absolute));
  return verdict;
}

// What a change of a whole tree would reach beside what its name says: places that rules
// cover by their path, and, before it is deleted, what really lies there.
Verdict Judge::JudgeTree(const Named& named, const std::string& absolute) {
  if (IsReadOnly(named.operation)) return {};
  const guard::Boundary::Located located = parts_.boundary.Locate(absolute);
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
