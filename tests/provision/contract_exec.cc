// Programs and their streams.
#include <thread>

#include "tests/provision/contract.h"

namespace cordon::provision {
namespace {

class Programs : public Contract {
 protected:
  void SetUp() override {
    Contract::SetUp();
    if (IsSkipped()) return;
    id_.emplace(Made());
  }
  const SandboxId& id() const { return *id_; }
  std::optional<SandboxId> id_;
};

TEST_F(Programs, StatusIsTold) {
  for (const int status : {0, 1, 7, 255}) {
    const Outcome outcome = Sh(id(), "exit " + std::to_string(status));
    EXPECT_EQ(outcome.end.status, status);
    EXPECT_EQ(outcome.end.signal, 0);
    EXPECT_EQ(outcome.end.why, ExecEnd::Why::kExited);
  }
}

TEST_F(Programs, StreamsAreApart) {
  const Outcome outcome = Sh(id(), "echo out; echo err >&2");
  EXPECT_EQ(outcome.out, "out\n");
  EXPECT_EQ(outcome.err, "err\n");
}

TEST_F(Programs, ArgumentsComeUnchanged) {
  ExecTerms terms;
  terms.arguments = {"sh", "-c", "printf '%s|' \"$@\"", "x", "a b", "", "$HOME", "*", "ü\n"};
  EXPECT_EQ(Run(id(), terms)->out, "a b||$HOME|*|ü\n|");
}

TEST_F(Programs, TheWorkspaceIsWhereTheyStart) { EXPECT_EQ(Sh(id(), "pwd").out, "/workspace\n"); }

TEST_F(Programs, ADirectoryCanBeNamed) {
  Sh(id(), "mkdir -p /workspace/a/b");
  ExecTerms terms = Shell("pwd");
  terms.directory = "/workspace/a/b";
  EXPECT_EQ(Run(id(), terms)->out, "/workspace/a/b\n");
}

TEST_F(Programs, ADirectoryThatIsNotThere) {
  ExecTerms terms = Shell("pwd");
  terms.directory = "/workspace/none";
  const auto outcome = Run(id(), terms);
  EXPECT_TRUE(!outcome || outcome->end.status != 0);
}

TEST_F(Programs, ARelativeDirectoryIsRefused) {
  ExecTerms terms = Shell("pwd");
  terms.directory = "a";
  EXPECT_FALSE(Run(id(), terms));
}

TEST_F(Programs, NoProgramIsRefused) { EXPECT_FALSE(driver().Start(id(), ExecTerms{})); }

TEST_F(Programs, AProgramThatIsNotThere) {
  ExecTerms terms;
  terms.arguments = {"no-such-program"};
  const auto outcome = Run(id(), terms);
  if (outcome) {
    EXPECT_EQ(outcome->end.status, 127);
  } else {
    EXPECT_EQ(outcome.error().code, ErrorCode::kCommandFailed);
  }
}

TEST_F(Programs, VariablesAreAdded) {
  ExecTerms terms = Shell("echo \"$A|$B|${HOME:+home}|${PATH:+path}\"");
  terms.environment = {"A=1 2", "B="};
  EXPECT_EQ(Run(id(), terms)->out, "1 2||home|path\n");
}

TEST_F(Programs, VariablesOfTheSandboxAndOverThem) {
  Terms made = TermsFor(NewId());
  made.environment = {"A=sandbox", "B=sandbox"};
  const SandboxId other = Made(made);
  ExecTerms terms = Shell("echo $A $B");
  terms.environment = {"B=exec"};
  EXPECT_EQ(Run(other, terms)->out, "sandbox exec\n");
}

TEST_F(Programs, NothingOfTheServersEnvironmentIsSeen) {
  ASSERT_EQ(::setenv("CORDON_CONTRACT_SECRET", "s3cret", 1), 0);
  EXPECT_EQ(Sh(id(), "env").out.find("s3cret"), std::string::npos);
}

TEST_F(Programs, InputIsRead) {
  EXPECT_EQ(Run(id(), Shell("cat; echo end"), "hello")->out, "helloend\n");
}

TEST_F(Programs, InputEndsWhenItIsClosed) {
  EXPECT_EQ(Run(id(), Shell("wc -c | tr -d ' '"))->out, "0\n");
}

TEST_F(Programs, MuchGoesThroughBothWays) {
  const std::string much(3 << 20, 'x');
  const auto outcome = Run(id(), Shell("cat; cat >&2 </dev/null"), much);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->out.size(), much.size());
  EXPECT_EQ(outcome->out, much);
}

TEST_F(Programs, EveryByteComesThrough) {
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  EXPECT_EQ(Run(id(), Shell("cat"), all)->out, all);
}

TEST_F(Programs, WhatIsSaidComesBeforeTheEnd) {
  auto exec = driver().Start(id(), Shell("echo first; read x; echo got $x"));
  ASSERT_TRUE(exec);
  EXPECT_EQ(Until(**exec, "first"), "first\n");
  ASSERT_TRUE((*exec)->Write("answer\n"));
  EXPECT_EQ(Finish(**exec).out, "got answer\n");
}

TEST_F(Programs, WritingToOneThatHasEndedIsAnErrorAndNoSignal) {
  auto exec = driver().Start(id(), Shell("exec <&-; exit 0"));
  ASSERT_TRUE(exec);
  Finish(**exec);
  const std::string much(1 << 20, 'x');
  static_cast<void>((*exec)->Write(much));  // must return, whatever it says
}

TEST_F(Programs, KillEndsAll) {
  const std::string mark = Mark();
  auto exec =
      driver().Start(id(), Shell("trap '' TERM; echo on; sleep " + mark + " & sleep " + mark));
  ASSERT_TRUE(exec);
  Until(**exec, "on");
  (*exec)->Kill();
  const Outcome outcome = Finish(**exec);
  EXPECT_EQ(outcome.end.why, ExecEnd::Why::kKilled);
  EXPECT_TRUE(Eventually([&] { return CountOf(id(), mark) == 0; }));
}

TEST_F(Programs, DroppedItEndsWithItsDescendants) {
  const std::string mark = Mark();
  {
    auto exec = driver().Start(
        id(), Shell("(setsid sleep " + mark + " &); sleep " + mark + " & echo on; sleep " + mark));
    ASSERT_TRUE(exec);
    Until(**exec, "on");
    ASSERT_TRUE(Eventually([&] { return CountOf(id(), mark) >= 3; }));
  }
  EXPECT_TRUE(Eventually([&] { return CountOf(id(), mark) == 0; }));
  EXPECT_EQ(Sh(id(), "echo on").out, "on\n");
}

TEST_F(Programs, DetachedItGoesOn) {
  const std::string mark = Mark();
  ExecTerms terms;
  terms.arguments = {"sleep", mark};
  terms.bond = ExecTerms::Bond::kDetached;
  ASSERT_TRUE(driver().Start(id(), terms));
  ASSERT_TRUE(Eventually([&] { return CountOf(id(), mark) == 1; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(CountOf(id(), mark), 1U);
}

TEST_F(Programs, ABackgroundServerGoesOnWhenItsShellHasEnded) {
  const std::string mark = Mark();
  const Outcome outcome = Sh(id(), "sleep " + mark + " >/dev/null 2>&1 & echo started");
  EXPECT_EQ(outcome.out, "started\n");
  EXPECT_EQ(outcome.end.why, ExecEnd::Why::kExited);
  EXPECT_EQ(CountOf(id(), "sleep " + mark), 1U);
}

TEST_F(Programs, ATimeoutEndsIt) {
  ExecTerms terms = Shell("echo on; sleep 100");
  terms.timeout = std::chrono::milliseconds(300);
  const auto began = std::chrono::steady_clock::now();
  const auto outcome = Run(id(), terms);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->end.why, ExecEnd::Why::kTimeout);
  EXPECT_EQ(outcome->out, "on\n");
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(30));
}

TEST_F(Programs, ASignalIsTold) {
  const Outcome outcome = Sh(id(), "kill -9 $$");
  EXPECT_TRUE(outcome.end.signal == 9 || outcome.end.status == 137);
}

TEST_F(Programs, OneCanBeSignalled) {
  const std::string mark = Mark();
  ExecTerms terms;
  terms.arguments = {"sleep", mark};
  auto exec = driver().Start(id(), terms);
  ASSERT_TRUE(exec);
  ASSERT_TRUE(Eventually([&] { return CountOf(id(), mark) == 1; }));
  std::uint32_t process = 0;
  const auto usage = driver().Inspect(id());
  ASSERT_TRUE(usage);
  for (const Process& one : usage->processes) {
    if (one.arguments.find(mark) != std::string::npos) process = one.id;
  }
  const Status sent = driver().Signal(id(), process, 15);
  ASSERT_TRUE(sent) << process << ": " << sent.error().detail << " " << sent.error().os_errno;
  const Outcome outcome = Finish(**exec);
  EXPECT_TRUE(outcome.end.signal == 15 || outcome.end.status == 143);
  EXPECT_EQ(driver().Signal(id(), 4'000'000, 15).error().code, ErrorCode::kNotFound);
}

TEST_F(Programs, ManyAtOnce) {
  constexpr int kMany = 8;
  std::vector<std::string> said(kMany);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kMany; ++i) {
      threads.emplace_back([&, i] { said[i] = Sh(id(), "echo " + std::to_string(i)).out; });
    }
  }
  for (int i = 0; i < kMany; ++i) EXPECT_EQ(said[i], std::to_string(i) + "\n");
}

class Terminals : public Programs {
 protected:
  void SetUp() override {
    Programs::SetUp();
    if (!IsSkipped() && !abilities().terminals) GTEST_SKIP() << "this driver has no terminals";
  }
  static ExecTerms OnTerminal(const std::string& script) {
    ExecTerms terms = Shell(script);
    terms.terminal = TerminalSize{40, 132};
    return terms;
  }
};

TEST_F(Terminals, ItIsOneAndOfThatSize) {
  auto exec =
      driver().Start(id(), OnTerminal("test -t 0 && test -t 1 && echo terminal; stty size"));
  ASSERT_TRUE(exec);
  const Outcome outcome = Finish(**exec);
  EXPECT_NE(outcome.out.find("terminal"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("40 132"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.err, "");
}

TEST_F(Terminals, KeysAreReadAndShown) {
  auto exec = driver().Start(id(), OnTerminal("echo ready; read x; echo \"<$x>\""));
  ASSERT_TRUE(exec);
  Until(**exec, "ready");
  ASSERT_TRUE((*exec)->Write("typed\n"));
  EXPECT_NE(Finish(**exec).out.find("<typed>"), std::string::npos);
}

TEST_F(Terminals, TheSizeFollows) {
  auto exec = driver().Start(id(), OnTerminal("echo ready; read x; stty size"));
  ASSERT_TRUE(exec);
  Until(**exec, "ready");
  ASSERT_TRUE((*exec)->Resize({50, 150}));
  ASSERT_TRUE((*exec)->Write("\n"));
  EXPECT_NE(Finish(**exec).out.find("50 150"), std::string::npos);
}

TEST_F(Terminals, InterruptReachesTheProgram) {
  auto exec = driver().Start(
      id(), OnTerminal("trap 'echo caught; exit 3' INT; echo ready; sleep 100 & wait"));
  ASSERT_TRUE(exec);
  Until(**exec, "ready");
  ASSERT_TRUE((*exec)->Write("\x03"));
  const Outcome outcome = Finish(**exec);
  EXPECT_NE(outcome.out.find("caught"), std::string::npos);
  EXPECT_EQ(outcome.end.status, 3);
}

TEST_F(Terminals, WithoutOneThereIsNothingToResize) {
  auto exec = driver().Start(id(), Shell("true"));
  ASSERT_TRUE(exec);
  EXPECT_FALSE((*exec)->Resize({50, 150}));
  Finish(**exec);
}

}  // namespace
}  // namespace cordon::provision
