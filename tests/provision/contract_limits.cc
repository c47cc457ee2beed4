// Limits, as far as a driver says that they hold.
#include "tests/provision/contract.h"

namespace cordon::provision {
namespace {

class Limits : public Contract {
 protected:
  Facts MadeWith(const Resources& resources) {
    Terms terms = TermsFor(NewId());
    terms.resources = resources;
    Own(terms.id);
    id_.emplace(terms.id);
    const auto facts = driver().Create(terms);
    EXPECT_TRUE(facts) << facts.error().detail;
    return facts ? *facts : Facts{};
  }
  const SandboxId& id() const { return *id_; }
  std::optional<SandboxId> id_;
};

TEST_F(Limits, DefaultsAreNotNone) {
  const Facts facts = MadeWith({});
  if (abilities().memory_limit) {
    EXPECT_GT(facts.resources.memory, 0U);
  }
  if (abilities().process_limit) {
    EXPECT_GT(facts.resources.processes, 0U);
  }
}

TEST_F(Limits, WhatHoldsIsWhatWasAsked) {
  Resources resources;
  resources.memory = 200U << 20U;
  resources.processes = 40;
  resources.cpus = 0.5;
  const Facts facts = MadeWith(resources);
  if (abilities().memory_limit) {
    EXPECT_EQ(facts.resources.memory, resources.memory);
  }
  if (abilities().process_limit) {
    EXPECT_EQ(facts.resources.processes, resources.processes);
  }
  EXPECT_TRUE(facts.resources.cpus == 0 || facts.resources.cpus == resources.cpus);
}

TEST_F(Limits, TooMuchMemoryEndsTheProgramAndNotTheSandbox) {
  if (!abilities().memory_limit) GTEST_SKIP() << "memory cannot be limited here";
  Resources resources;
  resources.memory = 64U << 20U;
  MadeWith(resources);
  // What a shell keeps in a variable is memory of its own.
  const Outcome outcome = Sh(id(), "x=$(head -c 400000000 /dev/zero | tr '\\0' x); echo ${#x}");
  EXPECT_TRUE(outcome.end.status != 0 || outcome.end.signal != 0 || outcome.out != "400000000\n");
  if (!abilities().outlives_memory_limit) {
    EXPECT_TRUE(Eventually([&] { return !driver().Start(id(), Shell("true")); }));
    EXPECT_EQ(driver().Autopsy(id())->memory, Ending::Memory::kRanOut);
    return;
  }
  EXPECT_EQ(Sh(id(), "echo on").out, "on\n");
}

TEST_F(Limits, TooManyProcessesAreRefused) {
  if (!abilities().process_limit) GTEST_SKIP() << "processes cannot be counted here";
  Resources resources;
  resources.processes = 30;
  MadeWith(resources);
  const std::string mark = Mark();
  const Outcome outcome =
      Sh(id(), "i=0; while [ $i -lt 60 ]; do sleep " + mark + " & i=$((i+1)); done; echo all");
  EXPECT_LE(CountOf(id(), "sleep " + mark), 40U);
  EXPECT_TRUE(outcome.out != "all\n" || !outcome.err.empty());
}

TEST_F(Limits, OneSandboxsLimitIsNotTheOthers) {
  if (!abilities().process_limit) GTEST_SKIP() << "processes cannot be counted here";
  Resources resources;
  resources.processes = 30;
  MadeWith(resources);
  const SandboxId other = Made();
  const std::string mark = Mark();
  Sh(id(), "i=0; while [ $i -lt 60 ]; do sleep " + mark + " & i=$((i+1)); done");
  EXPECT_EQ(Sh(other, "for i in 1 2 3; do sh -c 'echo on' & done; wait").out, "on\non\non\n");
}

}  // namespace
}  // namespace cordon::provision
