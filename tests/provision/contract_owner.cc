// Whose a sandbox is, across the end of the process that made it.
#include <atomic>
#include <mutex>
#include <thread>

#include "tests/provision/contract.h"

namespace cordon::provision {
namespace {

class Ownership : public Contract {
 protected:
  std::unique_ptr<Driver> Another() {
    auto another = under_test().Another();
    EXPECT_TRUE(another) << another.error().detail;
    return another ? std::move(*another) : nullptr;
  }
};

TEST_F(Ownership, AnotherProcessFindsAndAdoptsIt) {
  const SandboxId id = Made();
  Sh(id, "echo kept > /workspace/file");
  const auto another = Another();
  ASSERT_TRUE(another);
  const auto facts = another->Adopt(id);
  ASSERT_TRUE(facts) << facts.error().detail;
  EXPECT_FALSE(facts->handle.empty());
  auto exec = another->Start(id, Shell("cat /workspace/file"));
  ASSERT_TRUE(exec);
  EXPECT_EQ(Finish(**exec).out, "kept\n");
}

TEST_F(Ownership, AdoptedItHasTheSameFacts) {
  Terms terms = TermsFor(NewId());
  Own(terms.id);
  const auto facts = driver().Create(terms);
  ASSERT_TRUE(facts);
  const auto another = Another();
  ASSERT_TRUE(another);
  const auto adopted = another->Adopt(terms.id);
  ASSERT_TRUE(adopted);
  EXPECT_EQ(adopted->isolation, facts->isolation);
  EXPECT_EQ(adopted->isolation_detail, facts->isolation_detail);
  EXPECT_EQ(adopted->handle, facts->handle);
  EXPECT_EQ(adopted->resources.memory, facts->resources.memory);
  EXPECT_EQ(adopted->resources.processes, facts->resources.processes);
}

TEST_F(Ownership, BackgroundProgramsOutliveTheDriver) {
  const SandboxId id = NewId();
  Own(id);
  const std::string mark = Mark();
  {
    const auto first = Another();
    ASSERT_TRUE(first);
    ASSERT_TRUE(first->Create(TermsFor(id)));
    ExecTerms terms;
    terms.arguments = {"sleep", mark};
    terms.bond = ExecTerms::Bond::kDetached;
    ASSERT_TRUE(first->Start(id, terms));
  }
  ASSERT_TRUE(driver().Adopt(id));
  EXPECT_EQ(CountOf(id, mark), 1U);
}

TEST_F(Ownership, AnotherProcessDestroysIt) {
  const SandboxId id = Made();
  const auto another = Another();
  ASSERT_TRUE(another);
  ASSERT_TRUE(another->Destroy(id));
  EXPECT_EQ(under_test().LeftOf(id), "");
  EXPECT_FALSE(driver().Start(id, Shell("true")));
}

TEST_F(Ownership, PausedItIsAdoptedAndGoesOn) {
  if (!abilities().pauses) GTEST_SKIP() << "this driver does not pause";
  const SandboxId id = Made();
  ASSERT_TRUE(driver().Pause(id));
  const auto another = Another();
  ASSERT_TRUE(another);
  ASSERT_TRUE(another->Adopt(id));
  ASSERT_TRUE(another->Resume(id));
  EXPECT_EQ(Sh(id, "echo on").out, "on\n");
}

TEST_F(Ownership, TheDeadAreNotAdopted) {
  const SandboxId id = Made();
  ASSERT_TRUE(under_test().KillByForce(id));
  const auto another = Another();
  ASSERT_TRUE(another);
  EXPECT_TRUE(Eventually([&] { return !another->Adopt(id); }));
  EXPECT_TRUE(another->Destroy(id));
}

TEST_F(Ownership, DeathsByThemselvesAreToldOnce) {
  const auto another = Another();
  ASSERT_TRUE(another);
  std::mutex mutex;
  std::vector<SandboxId> told;
  another->Watch([&](const SandboxId& id) {
    const std::lock_guard lock(mutex);
    told.push_back(id);
  });
  const auto count = [&] {
    const std::lock_guard lock(mutex);
    return told.size();
  };
  const SandboxId dies = NewId();
  const SandboxId ended = NewId();
  Own(dies);
  Own(ended);
  ASSERT_TRUE(another->Create(TermsFor(dies)));
  ASSERT_TRUE(another->Create(TermsFor(ended)));
  ASSERT_TRUE(another->Destroy(ended));
  ASSERT_TRUE(under_test().KillByForce(dies));
  EXPECT_TRUE(Eventually([&] { return count() == 1; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  const std::lock_guard lock(mutex);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told.front(), dies);
}

TEST_F(Ownership, AProgramThatRunsWhenItsSandboxIsKilledEnds) {
  const SandboxId id = Made();
  auto exec = driver().Start(id, Shell("echo on; sleep 100"));
  ASSERT_TRUE(exec);
  Until(**exec, "on");
  ASSERT_TRUE(under_test().KillByForce(id));
  EXPECT_NE(Finish(**exec).end.why, ExecEnd::Why::kExited);
}

}  // namespace
}  // namespace cordon::provision
