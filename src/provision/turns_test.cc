#include "provision/turns.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace cordon::provision {
namespace {

SandboxId Id(char c) { return SandboxId::Parse(std::string(SandboxId::kLength, c)).value(); }

TEST(Turns, OneAtATimeForOneSandbox) {
  Turns turns;
  int inside = 0;  // without a lock of its own, so that a race would be seen
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 500; ++round) {
        const Turns::Turn turn = turns.Take(Id('a'));
        EXPECT_EQ(++inside, 1);
        --inside;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Turns, OthersDoNotWait) {
  Turns turns;
  const Turns::Turn first = turns.Take(Id('a'));
  const Turns::Turn second = turns.Take(Id('b'));  // would hang otherwise
}

}  // namespace
}  // namespace cordon::provision
