// Life cycle: making, finding, pausing, ending.
#include <thread>

#include "tests/provision/contract.h"

namespace cordon::provision {
namespace {

using Life = Contract;

std::optional<Found> FoundIn(Driver& driver, const SandboxId& id) {
  const auto all = driver.List();
  EXPECT_TRUE(all);
  if (!all) return std::nullopt;
  for (const Found& one : *all) {
    if (one.id == id) return one;
  }
  return std::nullopt;
}

TEST_F(Life, WorksHere) {
  const Status probed = driver().Probe();
  EXPECT_TRUE(probed) << probed.error().detail;
  EXPECT_FALSE(driver().name().empty());
}

TEST_F(Life, ProgramsRunOnceItIsMade) {
  const SandboxId id = Made();
  EXPECT_EQ(Sh(id, "echo hello").out, "hello\n");
}

TEST_F(Life, FactsAreToldAndAreNotLessThanAsked) {
  Terms terms = TermsFor(NewId());
  Own(terms.id);
  const auto facts = driver().Create(terms);
  ASSERT_TRUE(facts) << facts.error().detail;
  EXPECT_GE(facts->isolation, terms.isolation);
  EXPECT_FALSE(facts->isolation_detail.empty());
  EXPECT_FALSE(facts->handle.empty());
}

TEST_F(Life, ANameIsTakenOnce) {
  const SandboxId id = Made();
  const auto again = driver().Create(TermsFor(id));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kAlreadyExists);
  EXPECT_EQ(Sh(id, "echo still").out, "still\n");
}

TEST_F(Life, ANetworkThatIsNoneIsRefusedAndLeavesNothing) {
  Terms terms = TermsFor(NewId());
  terms.network = "allow:not a host!";
  EXPECT_FALSE(driver().Create(terms));
  EXPECT_FALSE(FoundIn(driver(), terms.id));
  EXPECT_EQ(under_test().LeftOf(terms.id), "");
}

TEST_F(Life, WhatIsMadeIsListed) {
  const SandboxId id = Made();
  const auto found = FoundIn(driver(), id);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->liveness, Liveness::kRunning);
  EXPECT_EQ(found->making, Found::Making::kFinished);
  EXPECT_FALSE(found->handle.empty());
}

TEST_F(Life, WhatIsDestroyedIsNotListed) {
  const SandboxId id = Made();
  ASSERT_TRUE(driver().Destroy(id));
  EXPECT_FALSE(FoundIn(driver(), id));
  EXPECT_EQ(under_test().LeftOf(id), "");
}

TEST_F(Life, DestroyingTwiceIsNoError) {
  const SandboxId id = Made();
  EXPECT_TRUE(driver().Destroy(id));
  EXPECT_TRUE(driver().Destroy(id));
  EXPECT_TRUE(driver().Destroy(NewId()));
}

TEST_F(Life, ADestroyedNameCanBeMadeAnewAndIsEmpty) {
  const SandboxId id = Made();
  Sh(id, "echo x > /workspace/left");
  ASSERT_TRUE(driver().Destroy(id));
  ASSERT_TRUE(driver().Create(TermsFor(id)));
  EXPECT_NE(Sh(id, "cat /workspace/left").end.status, 0);
}

TEST_F(Life, WhatIsNotThereIsNotFound) {
  const SandboxId id = NewId();
  EXPECT_EQ(driver().Adopt(id).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(driver().Start(id, Shell("true")).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(driver().Inspect(id).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(driver().Pause(id).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(driver().Resume(id).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(driver().Signal(id, 7, 15).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(driver().Connect(id, 80).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(driver().Files(id).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(driver().Autopsy(id).error().code, ErrorCode::kNotFound);
}

TEST_F(Life, PausedProgramsStandStill) {
  if (!abilities().pauses) GTEST_SKIP() << "this driver does not pause";
  const SandboxId id = Made();
  ExecTerms counting =
      Shell("i=0; while :; do i=$((i+1)); echo $i > /workspace/count; sleep 0.02; done");
  counting.bond = ExecTerms::Bond::kDetached;
  const auto exec = driver().Start(id, counting);
  ASSERT_TRUE(exec);
  const auto count = [&] {
    const auto text = under_test().ReadWorkspaceFile(id, "count");
    return text ? *text : std::string();
  };
  ASSERT_TRUE(Eventually([&] { return !count().empty(); }));
  ASSERT_TRUE(driver().Pause(id));
  EXPECT_EQ(FoundIn(driver(), id)->liveness, Liveness::kPaused);
  const std::string before = count();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(count(), before);
  ASSERT_TRUE(driver().Resume(id));
  EXPECT_EQ(FoundIn(driver(), id)->liveness, Liveness::kRunning);
  EXPECT_TRUE(Eventually([&] { return count() != before; }));
}

TEST_F(Life, PausedItTakesNoProgram) {
  if (!abilities().pauses) GTEST_SKIP() << "this driver does not pause";
  const SandboxId id = Made();
  ASSERT_TRUE(driver().Pause(id));
  EXPECT_FALSE(driver().Start(id, Shell("true")));
  ASSERT_TRUE(driver().Resume(id));
  EXPECT_EQ(Sh(id, "echo on").out, "on\n");
}

TEST_F(Life, PausedItCanBeDestroyed) {
  if (!abilities().pauses) GTEST_SKIP() << "this driver does not pause";
  const SandboxId id = Made();
  ASSERT_TRUE(driver().Pause(id));
  EXPECT_TRUE(driver().Destroy(id));
  EXPECT_EQ(under_test().LeftOf(id), "");
}

TEST_F(Life, DestroyingEndsEveryProgram) {
  const SandboxId id = Made();
  const std::string mark = Mark();
  const auto exec = driver().Start(id, Shell("setsid sleep " + mark + " & sleep " + mark));
  ASSERT_TRUE(exec);
  ASSERT_TRUE(Eventually([&] { return CountOf(id, "sleep " + mark) >= 2; }));
  ASSERT_TRUE(driver().Destroy(id));
  const Outcome outcome = Finish(**exec);
  EXPECT_NE(outcome.end.why, ExecEnd::Why::kExited);
  EXPECT_EQ(under_test().LeftOf(id), "");
}

TEST_F(Life, KilledByForceItIsDead) {
  const SandboxId id = Made();
  ASSERT_TRUE(under_test().KillByForce(id));
  ASSERT_TRUE(Eventually([&] {
    const auto found = FoundIn(driver(), id);
    return found && found->liveness == Liveness::kDead;
  }));
  EXPECT_FALSE(driver().Start(id, Shell("true")));
  EXPECT_TRUE(driver().Destroy(id));
  EXPECT_EQ(under_test().LeftOf(id), "");
}

TEST_F(Life, TheDeadAreLookedAt) {
  const SandboxId id = Made();
  ExecTerms says = Shell("echo last words; echo more >&2; exec sleep " + Mark());
  says.bond = ExecTerms::Bond::kDetached;
  const auto exec = driver().Start(id, says);
  ASSERT_TRUE(exec);
  // The shell, which has the word among its arguments, has become it.
  ASSERT_TRUE(Eventually([&] { return CountOf(id, "sleep") == 1 && CountOf(id, "echo") == 0; }));
  ASSERT_TRUE(under_test().KillByForce(id));
  ASSERT_TRUE(Eventually([&] { return FoundIn(driver(), id)->liveness == Liveness::kDead; }));
  const auto ending = driver().Autopsy(id);
  ASSERT_TRUE(ending);
  EXPECT_NE(ending->last_lines.find("last words"), std::string::npos) << ending->last_lines;
  EXPECT_NE(ending->last_lines.find("more"), std::string::npos) << ending->last_lines;
  EXPECT_LE(ending->last_lines.size(), 16U * 1024);
  if (abilities().tells_exit_status) {
    EXPECT_TRUE(ending->exit_status.has_value());
  }
  EXPECT_NE(ending->memory, Ending::Memory::kRanOut);
}

TEST_F(Life, ManyAtOnce) {
  constexpr int kMany = 8;
  std::vector<SandboxId> ids;
  for (int i = 0; i < kMany; ++i) {
    ids.push_back(NewId());
    Own(ids.back());
  }
  std::vector<std::string> said(kMany);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kMany; ++i) {
      threads.emplace_back([&, i] {
        if (!driver().Create(TermsFor(ids[i]))) return;
        Sh(ids[i], "echo " + std::to_string(i) + " > /workspace/own");
        said[i] = Sh(ids[i], "cat /workspace/own").out;
      });
    }
  }
  for (int i = 0; i < kMany; ++i) EXPECT_EQ(said[i], std::to_string(i) + "\n");
}

TEST_F(Life, CreatingAndDestroyingTheSameAtOnce) {
  const SandboxId id = NewId();
  Own(id);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 3; ++round) {
        static_cast<void>(driver().Create(TermsFor(id)));
        EXPECT_TRUE(driver().Destroy(id));
      }
    });
  }
  threads.clear();
  EXPECT_EQ(under_test().LeftOf(id), "");
}

}  // namespace
}  // namespace cordon::provision
