#include "shell/command_rules.h"

#include <algorithm>
#include <array>
#include <utility>

#include "shell/rule_match.h"

namespace cordon::shell {
namespace {

using policy::CommandAction;
using policy::CommandRule;
using Rules = std::span<const CommandRule>;

Match And(Match one, Match other) { return std::min(one, other); }

bool HasReason(const Explanation& explanation, std::span<const std::string_view> codes) {
  return std::any_of(explanation.reasons.begin(), explanation.reasons.end(),
                     [&](const Reason& reason) {
                       return std::find(codes.begin(), codes.end(), reason.code) != codes.end();
                     });
}

// Something is run that the text does not show.
bool RunsUnseen(const Explanation& explanation) {
  static constexpr std::array<std::string_view, 4> kCodes{"unreadable", "too-much", "unknown-code",
                                                          "runs-download"};
  return HasReason(explanation, kCodes);
}

// Names do not mean what they say.
bool ChangesMeanings(const Explanation& explanation) {
  static constexpr std::array<std::string_view, 2> kCodes{"steers-programs", "defines-alias"};
  return HasReason(explanation, kCodes);
}

bool NamesOnlyRisk(const CommandRule& rule) {
  return rule.program.empty() && rule.host.empty() && rule.writes.empty();
}

Match AnyHost(const CommandRule& rule, const Explanation& explanation) {
  Match found = Match::kNo;
  for (const NetworkUse& use : explanation.network) {
    if (IsBy(rule, use.by)) found = std::max(found, FindsHost(rule, use));
  }
  return found;
}

Match AnyWrite(const CommandRule& rule, const Explanation& explanation) {
  Match found = Match::kNo;
  for (const FileUse& use : explanation.files) {
    if (IsBy(rule, use.by)) found = std::max(found, FindsWrite(rule, use));
  }
  return found;
}

bool IsUndescribed(const Program& program, const Explanation& explanation) {
  return program.name.exactness == Exactness::kExact &&
         std::any_of(explanation.unknown.begin(), explanation.unknown.end(),
                     [&](const Unknown& unknown) {
                       return unknown.text == program.name.text ||
                              unknown.text == LastName(program.name.text);
                     });
}

// A program that nobody has described may start another that it is given.
Match StartsIt(const CommandRule& rule, const Program& program, const Explanation& explanation) {
  if (!IsUndescribed(program, explanation)) return Match::kNo;
  for (std::size_t i = 0; i < program.arguments.size(); ++i) {
    if (program.arguments[i].exactness != Exactness::kExact) continue;
    const auto rest = program.arguments.begin() + static_cast<std::ptrdiff_t>(i);
    const Program started{*rest, {rest + 1, program.arguments.end()}, {}};
    if (FindsProgram(rule, started) != Match::kNo) return Match::kPerhaps;
  }
  return Match::kNo;
}

Match AnyProgram(const CommandRule& rule, const Explanation& explanation) {
  Match found = Match::kNo;
  for (const Program& program : explanation.programs) {
    const Match here = std::max(FindsProgram(rule, program), StartsIt(rule, program, explanation));
    found = std::max(found, here);
  }
  return found;
}

// Of a rule that denies or asks.
Match IsMet(const CommandRule& rule, const Explanation& explanation) {
  if (rule.risk && explanation.risk < *rule.risk) return Match::kNo;
  if (NamesOnlyRisk(rule)) return Match::kYes;
  Match met = rule.program.empty() ? Match::kYes : AnyProgram(rule, explanation);
  // Which program it is decides what it connects to and writes.
  if (met != Match::kPerhaps) {
    if (!rule.host.empty()) met = And(met, AnyHost(rule, explanation));
    if (!rule.writes.empty()) met = And(met, AnyWrite(rule, explanation));
  }
  return met == Match::kNo && RunsUnseen(explanation) ? Match::kPerhaps : met;
}

// They do nothing outside the shell itself.
bool IsHarmless(const Program& program) {
  static constexpr std::array<std::string_view, 10> kNames{"cd", "echo", "printf", "true", "false",
                                                           ":",  "test", "[",      "pwd",  "exit"};
  return program.name.exactness == Exactness::kExact &&
         std::find(kNames.begin(), kNames.end(), program.name.text) != kNames.end();
}

bool AllowsRisk(const CommandRule& rule, const Explanation& explanation) {
  return rule.action == CommandAction::kAllow && (!rule.risk || explanation.risk <= *rule.risk);
}

bool Allows(const CommandRule& rule, const Program& program, const Explanation& explanation) {
  if (!AllowsRisk(rule, explanation) || !CoversProgram(rule, program)) return false;
  const auto may_connect = [&](const NetworkUse& use) {
    return !IsBy(rule, use.by) || FindsHost(rule, use) == Match::kYes;
  };
  const auto may_write = [&](const FileUse& use) {
    return !IsWrite(use) || !IsBy(rule, use.by) || FindsWrite(rule, use) == Match::kYes;
  };
  const std::vector<NetworkUse>& network = explanation.network;
  const std::vector<FileUse>& files = explanation.files;
  return (rule.host.empty() || std::all_of(network.begin(), network.end(), may_connect)) &&
         (rule.writes.empty() || std::all_of(files.begin(), files.end(), may_write));
}

bool IsRedirected(const FileUse& use) {
  return IsWrite(use) && use.by.find('>') != std::string::npos && use.path != "/dev/null" &&
         use.path != "/dev/stdout" && use.path != "/dev/stderr";
}

// A rule of what may be written covers redirections; none covers what is not known.
bool AllowsRedirection(Rules rules, const FileUse& use, const Explanation& explanation) {
  return std::any_of(rules.begin(), rules.end(), [&](const CommandRule& rule) {
    return AllowsRisk(rule, explanation) && rule.program.empty() && !rule.writes.empty() &&
           FindsWrite(rule, use) == Match::kYes;
  });
}

bool IsKnownWhole(const Explanation& explanation) {
  if (RunsUnseen(explanation) || ChangesMeanings(explanation)) return false;
  const auto unknown = [](const Argument& text) { return text.exactness == Exactness::kUnknown; };
  return std::none_of(
      explanation.programs.begin(), explanation.programs.end(), [&](const Program& program) {
        return program.name.exactness != Exactness::kExact ||
               std::any_of(program.arguments.begin(), program.arguments.end(), unknown);
      });
}

// The first of the rules by which the whole of it is allowed; null: not all of it is.
const CommandRule* FindAllowing(const Explanation& explanation, Rules rules) {
  if (!IsKnownWhole(explanation)) return nullptr;
  for (const CommandRule& rule : rules) {
    if (AllowsRisk(rule, explanation) && NamesOnlyRisk(rule)) return &rule;
  }
  const CommandRule* first = nullptr;
  for (const Program& program : explanation.programs) {
    if (IsHarmless(program)) continue;
    const auto found = std::find_if(rules.begin(), rules.end(), [&](const CommandRule& rule) {
      return Allows(rule, program, explanation);
    });
    if (found == rules.end()) return nullptr;
    if (first == nullptr) first = &*found;
  }
  const bool written =
      std::all_of(explanation.files.begin(), explanation.files.end(), [&](const FileUse& use) {
        return !IsRedirected(use) || AllowsRedirection(rules, use, explanation);
      });
  return written ? first : nullptr;
}

}  // namespace

std::string CommandVerdict::Why() const {
  std::string text;
  if (certainty == Certainty::kPerhaps) {
    text = "the command does not tell whether it is what a rule ";
    text += rule.action == CommandAction::kDeny ? "denies" : "asks about";
  } else if (action == CommandAction::kAllow) {
    text = "a rule allows this command";
  } else {
    text = action == CommandAction::kDeny ? "a rule denies this command"
                                          : "a rule asks about this command";
  }
  if (!rule.reason.empty()) text += ": " + rule.reason;
  return text;
}

std::optional<CommandVerdict> JudgeByRules(const Explanation& explanation, Rules rules) {
  using Certainty = CommandVerdict::Certainty;
  std::optional<CommandVerdict> perhaps;
  for (const CommandAction action : {CommandAction::kDeny, CommandAction::kAsk}) {
    for (const CommandRule& rule : rules) {
      if (rule.action != action) continue;
      const Match met = IsMet(rule, explanation);
      if (met == Match::kYes) return CommandVerdict{action, rule, Certainty::kSure};
      if (met == Match::kPerhaps && !perhaps) {
        perhaps = CommandVerdict{CommandAction::kAsk, rule, Certainty::kPerhaps};
      }
    }
  }
  if (perhaps) return perhaps;
  if (const CommandRule* const allowing = FindAllowing(explanation, rules)) {
    return CommandVerdict{CommandAction::kAllow, *allowing, Certainty::kSure};
  }
  return std::nullopt;
}

}  // namespace cordon::shell
