#include "net/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <latch>
#include <memory>
#include <thread>
#include <vector>

namespace cordon::net {
namespace {

TEST(WorkerPool, RunsAsManyAtATimeAsItMayAndRefusesTheRest) {
  std::promise<void> gate;
  const std::shared_future<void> opened = gate.get_future().share();
  std::latch begun(2);
  std::atomic<int> ran = 0;
  {
    WorkerPool pool({2, 1});
    const auto wait = [&] {
      begun.count_down();
      opened.wait();
      ++ran;
    };
    EXPECT_TRUE(pool.Submit(wait));
    EXPECT_TRUE(pool.Submit(wait));
    begun.wait();
    EXPECT_TRUE(pool.Submit([&] { ++ran; }));
    EXPECT_FALSE(pool.Submit([&] { ++ran; }));
    gate.set_value();
    while (ran < 3) std::this_thread::yield();
    EXPECT_TRUE(pool.Submit([&] { ++ran; }));
    while (ran < 4) std::this_thread::yield();
  }
  EXPECT_EQ(ran, 4);
}

TEST(WorkerPool, NeedsNoPlaceToWaitWhileThreadsAreFree) {
  WorkerPool pool({4, 0});
  std::latch all(4);
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(pool.Submit([&] { all.arrive_and_wait(); }));
  }
  all.wait();
}

TEST(WorkerPool, DropsWhatWaitsAndFinishesWhatRuns) {
  const auto held = std::make_shared<int>(1);
  std::promise<void> begun;
  std::atomic<bool> finished = false;
  {
    WorkerPool pool({1, 8});
    ASSERT_TRUE(pool.Submit([&] {
      begun.set_value();
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      finished = true;
    }));
    begun.get_future().wait();
    ASSERT_TRUE(pool.Submit([held, &finished] { finished = false; }));
    EXPECT_EQ(held.use_count(), 2);
  }
  EXPECT_TRUE(finished);
  EXPECT_EQ(held.use_count(), 1);
}

TEST(WorkerPool, TakesWorkFromManyThreads) {
  std::atomic<int> ran = 0;
  std::atomic<int> taken = 0;
  {
    WorkerPool pool({8, 100000});
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 1000; ++i) taken += pool.Submit([&] { ++ran; }) ? 1 : 0;
      });
    }
    for (std::thread& thread : threads) thread.join();
    while (ran < taken) std::this_thread::yield();
  }
  EXPECT_EQ(taken, 4000);
}

}  // namespace
}  // namespace cordon::net
