// The policy's word on an event.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "audit/recorder.h"
#include "guard/admission.h"
#include "guard/boundary.h"
#include "guard/guard.h"
#include "guard/ledger.h"
#include "hook/event.h"
#include "hook/glob.h"
#include "hook/verdict.h"
#include "shell/command_rules.h"
#include "shell/explain.h"

namespace cordon::hook {

// What is done with a command of which not everything is known.
enum class Unknowns {
  kAsk,   // ask where that is possible; elsewhere no opinion, as long as what is known is fine
  kDeny,  // --strict
};

// Guarantees: opens nothing for reading and changes nothing; the same rules and the same
//   resolution of links hold as for a Guard of the same boundary. A refusal, or that a person
//   shall be asked, is recorded before it is returned; what cannot be recorded is refused.
//   Whatever fails for another reason than that nothing is there is a refusal.
// Does not guarantee: that what the agent does then is what was judged. The agent opens the
//   path itself, later and by its name; a command does what it does.
class Judge {
 public:
  struct Parts {
    const guard::Boundary& boundary;  // must outlive it
    // The same with SettingsInGit, for what commands do below a ".git"; must outlive it.
    const guard::Boundary& in_git;
    std::shared_ptr<audit::Recorder> recorder;  // must be set
    std::function<shell::Explanation(std::string_view)> explain;
    std::string home;  // absolute; empty: not known
    Unknowns unknowns = Unknowns::kAsk;
  };
  Judge(Parts parts, const Event& event);  // `event` must outlive it

  Verdict Decide();

 private:
  // How a path came into the event.
  struct Named {
    std::string_view asked;  // as it was given
    Operation operation = Operation::kRead;
    policy::ToolKind kind = policy::ToolKind::kRead;
  };
  // The rules that a path is held against.
  struct Ground {
    const guard::Boundary& boundary;
    guard::Admission admission;
  };
  Verdict JudgeTool();
  Verdict JudgeUse(const PathUse& use, policy::ToolKind kind);
  Verdict JudgeReading(const PathUse& use, const Named& named, const std::string& absolute);
  // `absolute` as the system would read it, and as a program that resolves ".." by text would.
  Verdict JudgeBothReadings(const Named& named, const std::string& absolute);
  Verdict JudgeBothReadings(const Named& named, const std::string& absolute, Ground& ground);
  Verdict JudgePath(const Named& named, const std::string& absolute, Ground& ground);
  Verdict JudgePattern(const Named& named, const std::string& absolute);
  // A glob that a tool of an agent matches itself.
  Verdict JudgeToolGlob(const PathUse& use, const Named& named, const std::string& absolute);
  // Only whether a rule covers what the pattern, or the path, names.
  Verdict JudgeMatches(const Named& named, const std::string& absolute, Dots dots);
  Verdict JudgeMention(const Named& named, const std::string& absolute);
  // Of a path whose beginning is not known, the names that are.
  Verdict JudgeNames(const Named& named);
  // A path that could not be reached, or must not be.
  Verdict Refused(const guard::Act& act, const Error& error, std::string_view advice = {});
  Verdict AskAbout(const guard::Act& act, const guard::Way& way);
  static bool MayBecomeDenied(const Named& named, const std::string& absolute,
                              const Ground& ground);
  bool TreeHoldsDenied(const std::string& absolute) const;

  Verdict JudgeCommand(const CommandUse& command);
  Verdict JudgeTyped(const CommandUse& command, const shell::Explanation& explanation);
  Verdict JudgeFile(const shell::FileUse& use, const std::string& cwd);
  Verdict JudgeMentioned(const shell::FileUse& use, const std::string& cwd);
  Verdict JudgeExactFile(const Named& named, const shell::FileUse& use,
                         const std::string& absolute);
  // Unset: it is no work in a ".git".
  std::optional<Verdict> JudgeInGit(const Named& named, const shell::FileUse& use,
                                    const std::string& absolute);
  Verdict JudgeTree(const Named& named, const std::string& absolute, const Ground& ground);
  Verdict JudgeRuled(const CommandUse& command, const shell::CommandVerdict& ruling);
  Verdict JudgeUnknowns(const CommandUse& command, const shell::Explanation& explanation);

  // An answer about the tool or the command as a whole, recorded.
  Verdict Whole(Answer answer, std::string_view asked, std::string_view rule, std::string reason);
  audit::Record RecordOf(std::string_view asked, std::string_view rule) const;
  guard::Call CallOf(const Named& named) const;
  static guard::Act ActOf(const guard::Call& call, const Named& named);
  std::string Absolute(std::string_view path, std::string_view base) const;
  // Where a use starts; unset: that is not known.
  std::optional<std::string> PlaceOf(const shell::FileUse& use, const std::string& cwd) const;

  Parts parts_;
  const Event& event_;
  guard::Session session_;
  guard::Ledger ledger_;
  Ground ground_;
  Ground in_git_;
};

}  // namespace cordon::hook
