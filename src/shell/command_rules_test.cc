// Rules on commands, held against what command lines would do.
#include "shell/command_rules.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "shell/quoting.h"

namespace cordon::shell {
namespace {

using policy::CommandAction;
using policy::CommandRule;

CommandRule Rule(CommandAction action, std::string program,
                 std::vector<std::string> arguments = {}) {
  CommandRule rule;
  rule.action = action;
  rule.program = std::move(program);
  rule.arguments = std::move(arguments);
  return rule;
}

// "deny", "ask", "perhaps", "allow" or "-".
std::string Word(std::string_view line, const std::vector<CommandRule>& rules) {
  const auto verdict = JudgeByRules(Explain(line), rules);
  if (!verdict) return "-";
  if (verdict->certainty == CommandVerdict::Certainty::kPerhaps) return "perhaps";
  return std::string(policy::CommandActionName(verdict->action));
}

struct Case {
  std::string_view line;
  std::string_view word;
};

void Expect(const std::vector<CommandRule>& rules, std::initializer_list<Case> cases) {
  for (const Case& each : cases) EXPECT_EQ(Word(each.line, rules), each.word) << each.line;
}

TEST(CommandRulesTest, NoSpellingOfAProgramGetsRoundADenial) {
  Expect({Rule(CommandAction::kDeny, "git", {"push"})},
         {
             {"git push", "deny"},
             {"git push origin main", "deny"},
             {"g\\it pu''sh", "deny"},
             {"\"git\" $'push'", "deny"},
             {"'g'i\"t\" p\\ush", "deny"},
             {"/usr/bin/git push", "deny"},
             {"./git push", "deny"},
             {"git -C sub push", "deny"},
             {"git --git-dir=x -c a.b=c push", "deny"},
             {"command git push", "deny"},
             {"exec git push", "deny"},
             {"env -i A=b git push", "deny"},
             {"A=b git push", "deny"},
             {"nohup nice -n 5 timeout 10 git push &", "deny"},
             {"sudo -u x git push", "deny"},
             {"sh -c 'git push'", "deny"},
             {"bash -lc \"git pu\\sh\"", "deny"},
             {"eval git push", "deny"},
             {"eval 'git ''push'", "deny"},
             {"echo git push | sh", "deny"},
             {"sh <<E\ngit push\nE", "deny"},
             {"sh <<< 'git push'", "deny"},
             {"xargs git push", "deny"},
             {"find . -exec git push \\;", "deny"},
             {"true && git push", "deny"},
             {"false || (cd x; git push)", "deny"},
             {"if true; then git push; fi", "deny"},
             {"for i in 1; do git push; done", "deny"},
             {"echo $(git push)", "deny"},
             {"echo `git push`", "deny"},
             {"cat <(git push)", "deny"},
             {"f() { git push; }; f", "deny"},
             {"git() { command git \"$@\"; }; git push", "deny"},
             {"alias g='git push'; g", "deny"},
             {"x=git; $x push", "deny"},
             {"x='git push'; $x", "deny"},
             {"{git,push}", "deny"},
             {"trap 'git push' EXIT", "deny"},
         });
}

TEST(CommandRulesTest, WhatDoesNotMeetADenialIsLeftAlone) {
  Expect({Rule(CommandAction::kDeny, "git", {"push"})}, {
                                                            {"git status", "-"},
                                                            {"git add push", "-"},
                                                            {"git commit -m 'push it'", "-"},
                                                            {"git commit -m \"$message\"", "-"},
                                                            {"echo git push", "-"},
                                                            {"grep -r 'git push' .", "-"},
                                                            {"gitk push", "-"},
                                                            {"make", "-"},
                                                            {"./push.sh", "-"},
                                                            {"cat git push > x", "-"},
                                                        });
}

TEST(CommandRulesTest, WhatMayMeetADenialIsAskedAbout) {
  Expect({Rule(CommandAction::kDeny, "git", {"push"})},
         {
             {"$x push", "perhaps"},
             {"$(cat name) push", "perhaps"},
             {"git $x", "perhaps"},
             {"git -C x \"$y\"", "perhaps"},
             {"sh -c \"$x\"", "perhaps"},
             {"eval \"$x\"", "perhaps"},
             {"cat x | sh", "perhaps"},
             {"git -c alias.p=push p", "perhaps"},
             {"git p", "perhaps"},
             {"proxychains git push", "perhaps"},
             {"if then", "perhaps"},
             {"echo 'unclosed", "perhaps"},
             {std::string_view("ls\0git push", 11), "perhaps"},
         });
}

TEST(CommandRulesTest, OptionsAreFoundInEveryForm) {
  Expect({Rule(CommandAction::kDeny, "git", {"push", "--force"})},
         {
             {"git push --force", "deny"},
             {"git push origin main --force", "deny"},
             {"git push --force=x", "deny"},
             {"git push --forc", "perhaps"},
             {"git push $flags", "perhaps"},
             {"git push \"origin$x\"", "-"},
             {"git push *", "perhaps"},
             {"git push *.c", "-"},
             {"git push --force-with-lease", "-"},
             {"git push", "-"},
         });
  Expect({Rule(CommandAction::kDeny, "rm", {"-r", "-f"})},
         {
             {"rm -rf x", "deny"},
             {"rm -fvr x", "deny"},
             {"rm -f -r x", "deny"},
             {"rm x -r -f", "deny"},
             {"rm -r x", "-"},
             {"rm *.o", "-"},
             {"find . -print0 | xargs -0 rm -rf", "deny"},
         });
  Expect({Rule(CommandAction::kDeny, "git", {"push", "+*"})},
         {{"git push origin +main", "deny"}, {"git push origin main", "-"}});
  Expect({Rule(CommandAction::kDeny, "find", {"-n"})}, {{"find . -name x", "-"}});
  Expect({Rule(CommandAction::kDeny, "mkfs*")}, {{"mkfs.ext4 /dev/x", "deny"}, {"mk x", "-"}});
}

TEST(CommandRulesTest, DenyBeatsAskBeatsAllow) {
  const std::vector<CommandRule> rules{Rule(CommandAction::kAllow, "git"),
                                       Rule(CommandAction::kAsk, "git", {"push"}),
                                       Rule(CommandAction::kDeny, "git", {"push", "--force"})};
  Expect(rules, {{"git status", "allow"},
                 {"git push", "ask"},
                 {"git status; git push", "ask"},
                 {"git push; git push --force", "deny"}});
}

TEST(CommandRulesTest, AllowedIsOnlyWhatIsKnownWhole) {
  Expect({Rule(CommandAction::kAllow, "git", {"status"}), Rule(CommandAction::kAllow, "ls")},
         {
             {"git status", "allow"},
             {"git status -s && ls src/*.c", "allow"},
             {"/usr/bin/git status", "allow"},
             {"cd src && git status 2>/dev/null", "allow"},
             {"g\\it status", "allow"},
             {"./git status", "-"},
             {"git -c core.pager=x status", "-"},
             {"git -C x status", "-"},
             {"git add status", "-"},
             {"git status; make", "-"},
             {"git status $(make)", "-"},
             {"git status $x", "-"},
             {"ls $x", "-"},
             {"ls > file", "-"},
             {"PATH=x git status", "-"},
             {"alias ls=make; ls", "-"},
             {"git() { make; }; git status", "-"},
             {"env git status", "-"},
             {"sh -c 'git status'", "-"},
             {"$(echo git) $x", "-"},
             {"git status |", "-"},
             {"if then", "-"},
             {"", "-"},
         });
}

TEST(CommandRulesTest, RiskIsAtLeastForSomeAndAtMostForOthers) {
  CommandRule high = Rule(CommandAction::kAsk, "");
  high.risk = Risk::kHigh;
  CommandRule low = Rule(CommandAction::kAllow, "");
  low.risk = Risk::kLow;
  Expect({high, low}, {{"ls", "allow"},
                       {"echo a > b", "-"},
                       {"rm -rf /", "ask"},
                       {"curl x | sh", "ask"},
                       {"cat $x", "-"},
                       {"if then", "ask"}});
}

TEST(CommandRulesTest, HostsAreThoseOfUrlsAndAddresses) {
  CommandRule rule = Rule(CommandAction::kDeny, "");
  rule.host = "*.example.org";
  Expect({rule}, {
                     {"curl https://a.example.org/x", "deny"},
                     {"curl https://u:p@A.EXAMPLE.ORG:8443/x", "deny"},
                     {"wget a.b.example.org", "deny"},
                     {"ssh me@a.example.org", "deny"},
                     {"git clone git@a.example.org:x/y.git", "deny"},
                     {"curl https://example.org/", "-"},
                     {"curl https://aexample.org/", "-"},
                     {"curl https://example.com/a.example.org", "-"},
                     {"curl $x", "perhaps"},
                     {"ls a.example.org", "-"},
                 });
  CommandRule allowed = Rule(CommandAction::kAllow, "curl");
  allowed.host = "example.org";
  Expect({allowed}, {{"curl https://example.org/x", "allow"},
                     {"curl https://example.com/x", "-"},
                     {"curl https://example.org/x https://example.com/x", "-"}});
}

TEST(CommandRulesTest, FilesAreThoseWrittenAndDeleted) {
  CommandRule rule = Rule(CommandAction::kDeny, "");
  rule.writes = "ci/**";
  Expect({rule}, {
                     {"echo x > ci/a", "deny"},
                     {"cd ci && tee b", "deny"},
                     {"sed -i s/a/b/ ci/x", "deny"},
                     {"rm ci/x", "deny"},
                     {"cat ci/x", "-"},
                     {"echo x > src/a", "-"},
                     {"echo x > $f", "perhaps"},
                     {"rm -r ci", "perhaps"},
                     {"echo x > /home/me/w/ci/a", "perhaps"},
                 });
  rule.writes = "/etc/**";
  Expect({rule}, {{"echo x > /etc/a", "deny"}, {"echo x > etc/a", "-"}});
  rule.writes = "~/.bashrc";
  Expect({rule}, {{"echo x >> ~/.bashrc", "deny"}, {"echo x > .bashrc", "perhaps"}});
  rule.writes = "*.lock";
  Expect({rule}, {{"rm a/b.lock", "deny"}, {"rm a/b", "-"}});
  CommandRule build = Rule(CommandAction::kAllow, "");
  build.writes = "build/**";
  Expect({build, Rule(CommandAction::kAllow, "ls")},
         {{"ls > build/list", "allow"}, {"ls > list", "-"}, {"ls > $x", "-"}});
}

TEST(CommandRulesTest, WordsAreQuotedSoThatTheyComeBackTheSame) {
  const std::vector<std::string> words{"git", "a b", "it's", "$x", "`y`", "", "\\", "*", "\n"};
  const Explanation explanation = Explain(QuotedLine(words));
  ASSERT_EQ(explanation.programs.size(), 1U);
  std::vector<std::string> found{explanation.programs[0].name.text};
  for (const Argument& argument : explanation.programs[0].arguments) {
    EXPECT_EQ(argument.exactness, Exactness::kExact);
    found.push_back(argument.text);
  }
  EXPECT_EQ(found, words);
}

}  // namespace
}  // namespace cordon::shell
