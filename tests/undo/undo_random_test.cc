// A thousand changes and their undo; the same with kills.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <random>
#include <thread>

#include "tests/undo/random_changes.h"
#include "tests/undo/undo_fixture.h"

namespace cordon::testing {
namespace {

class UndoRandomTest : public UndoTest {
 protected:
  UndoRandomTest() {
    MakeVariedTree(At("w"));
    before_ = DescribeTree(At("w"));
  }

  void ExpectRestored(std::string_view when) const {
    const std::string now = DescribeTree(At("w"));
    ASSERT_EQ(now.size(), before_.size()) << when;
    ASSERT_TRUE(now == before_) << when;
  }

  std::string before_;
};

TEST_F(UndoRandomTest, AThousandChangesAreUndoneByteForByte) {
  for (const std::uint32_t seed : {1U, 2U, 3U}) {
    RandomChanges changes(*guard_, seed);
    int done = 0;
    for (int tries = 0; done < 1000 && tries < 100'000; ++tries) done += changes.Step() ? 1 : 0;
    ASSERT_EQ(done, 1000);
    ASSERT_NE(DescribeTree(At("w")), before_);
    ASSERT_EQ(Told("undo", R"({"session": "s1", "dry_run": true})").find("\"code\""),
              std::string::npos);
    ASSERT_EQ(Undo(R"({"session": "s1"})"), "done") << Told("undo", R"({"session": "s1"})");
    ExpectRestored("seed " + std::to_string(seed));
    ASSERT_EQ(Undo(), "NOT_FOUND");
  }
}

TEST_F(UndoRandomTest, OneByOneItComesToTheSame) {
  RandomChanges changes(*guard_, 17);
  int done = 0;
  for (int tries = 0; done < 100 && tries < 10'000; ++tries) done += changes.Step() ? 1 : 0;
  for (int undone = 0; undone < 1000; ++undone) {
    const std::string code = Undo(undone % 3 == 0 ? R"({"steps": 2})" : "{}");
    if (code == "NOT_FOUND") break;
    ASSERT_EQ(code, "done") << Told("undo", "{}");
  }
  ExpectRestored("one by one");
}

TEST_F(UndoRandomTest, AnUndoCanBeUndone) {
  RandomChanges changes(*guard_, 23);
  for (int i = 0; i < 200; ++i) changes.Step();
  const std::string changed = DescribeTree(At("w"));
  for (int round = 0; round < 2; ++round) {
    ASSERT_EQ(Undo(R"({"steps": 1})"), "done");
    const undo::History history = *journal_->Read();
    const undo::OperationId last = history.operations.back().id;
    ASSERT_EQ(Undo("{\"operation\": " + std::to_string(last) + "}"), "done");
    // Times of files are given back by an undo; by the undo of one, too.
    EXPECT_EQ(DescribeTree(At("w")).size(), changed.size());
  }
  ASSERT_EQ(Undo(R"({"session": "s1"})"), "done");
  ExpectRestored("after undone undos");
}

// Runs `work` in a process of its own and kills it after a while, if it is still there.
template <typename Work>
bool RunAndKill(std::chrono::microseconds patience, const Work& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    ::_exit(0);
  }
  std::this_thread::sleep_for(patience);
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status);
}

TEST_F(UndoRandomTest, KilledInTheMiddleItIsUndoneByteForByte) {
  const char* const wanted = std::getenv("CORDON_KILLS");
  const int rounds = wanted == nullptr ? 60 : std::atoi(wanted);
  std::mt19937 random(5);
  int killed = 0;
  int killed_undos = 0;
  std::size_t most = 0;
  for (int round = 0; round < rounds; ++round) {
    for (int process = 0; process < 3; ++process) {
      const std::uint32_t seed = random();
      killed += RunAndKill(std::chrono::microseconds(random() % 80'000), [&] {
        StartKeeping();
        RandomChanges changes(*guard_, seed);
        for (int i = 0; i < 100'000; ++i) changes.Step();
      });
    }
    StartKeeping();
    most = std::max(most, Operations());
    // Some undos are killed as well; the next one goes on from there.
    while (random() % 2 == 0) {
      killed_undos += RunAndKill(std::chrono::microseconds(random() % 60'000), [&] {
        StartKeeping();
        Undo(R"({"session": "s1"})");
      });
    }
    StartKeeping();
    const std::string told = Told("undo", R"({"session": "s1"})");
    const bool undone = told.find("\"undone\":[{") != std::string::npos;
    ASSERT_TRUE(undone || told.find("nothing to undo") != std::string::npos)
        << "round " << round << ": " << told.substr(0, 2000);
    ExpectRestored("round " + std::to_string(round));
  }
  EXPECT_GT(killed, rounds);
  std::cout << killed << " kills of changes, " << killed_undos << " of undos, " << most
            << " operations in the journal\n";
}

TEST_F(UndoRandomTest, TwoProcessesAtOnce) {
  const auto work = [this](std::uint32_t seed) {
    const pid_t child = ::fork();
    if (child != 0) return child;
    StartKeeping();
    int failures = 0;
    for (int i = 0; i < 150; ++i) {
      const std::string path = "p" + std::to_string(seed) + "-" + std::to_string(i % 20);
      const guard::Call call = Changing();
      if (!guard_->Write(call, path, std::string(1 + seed + static_cast<unsigned>(i), 'x'))) {
        ++failures;
      }
    }
    ::_exit(failures == 0 ? 0 : 1);
  };
  const pid_t first = work(1);
  const pid_t second = work(2);
  for (const pid_t child : {first, second}) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(Operations(), 300U);
  EXPECT_EQ(journal_->Read()->damaged, 0U);
  ASSERT_EQ(Undo(R"({"session": "s1"})"), "done");
  ExpectRestored("two processes");
}

}  // namespace
}  // namespace cordon::testing
