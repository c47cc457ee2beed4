// Many threads and two processes at one store: what must be one thing at a time is.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "store/store_fixture_test.h"

namespace cordon::store {
namespace {

constexpr unsigned kThreads = 8;

void InThreads(const std::function<void(unsigned thread)>& work) {
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
}

// Runs `work` in a process of its own as well as in this one; both must return true.
void InTwoProcesses(const std::function<bool(unsigned process)>& work) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) std::_Exit(work(1) ? 0 : 1);
  EXPECT_TRUE(work(0));
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

std::unique_ptr<Store> WithUsers(const std::string& path) {
  auto store = Store::Open(path).value();
  EXPECT_TRUE(store->AddUser({"usr_a", "ann", 1}));
  EXPECT_TRUE(store->AddUser({"usr_b", "bob", 2}));
  return store;
}

class StoreConcurrency : public StoreTest {};
STORE_TEST_EVERYWHERE(StoreConcurrency);

TEST_P(StoreConcurrency, OneOfManyChangesWins) {
  for (std::uint64_t round = 0; round < 20; ++round) {
    ASSERT_DONE(store_->AddSandbox(SandboxOf(round), kMany));
    const Sandbox before = Found(round);
    std::atomic<unsigned> won = 0, stale = 0;
    InThreads([&](unsigned thread) {
      Sandbox mine = before;
      mine.state = SandboxState::kReady;
      mine.handle = std::to_string(thread);
      const Status changed = store_->Change(mine, {SandboxState::kPending});
      if (changed) ++won;
      if (!changed && changed.error().code == ErrorCode::kStaleFile) ++stale;
    });
    EXPECT_EQ(won, 1u);
    EXPECT_EQ(stale, kThreads - 1);
  }
}

// Each reads, adds one and writes, again and again until it succeeds: nothing is lost.
TEST_P(StoreConcurrency, NoUpdateIsLost) {
  ASSERT_DONE(store_->AddSandbox(SandboxOf(1), kMany));
  InThreads([&](unsigned) {
    for (unsigned done = 0; done < 20;) {
      Sandbox mine = Found(1);
      mine.message += "x";
      if (store_->Change(mine, {SandboxState::kPending})) ++done;
    }
  });
  EXPECT_EQ(Found(1).message.size(), kThreads * 20);
}

TEST_P(StoreConcurrency, TheCapHolds) {
  std::atomic<unsigned> added = 0, refused = 0;
  InThreads([&](unsigned thread) {
    for (std::uint64_t i = 0; i < 10; ++i) {
      const Status done = store_->AddSandbox(SandboxOf(thread * 100 + i), 13);
      if (done) ++added;
      if (!done && done.error().code == ErrorCode::kLimitExceeded) ++refused;
    }
  });
  EXPECT_EQ(added, 13u);
  EXPECT_EQ(refused, kThreads * 10 - 13);
}

TEST_P(StoreConcurrency, EachPooledOneIsGivenOnce) {
  for (std::uint64_t i = 0; i < 30; ++i) ASSERT_DONE(store_->AddSandbox(PooledOf(i), 0));
  std::mutex mutex;
  std::multiset<SandboxId> given;
  InThreads([&](unsigned thread) {
    Handover handover;
    handover.user = thread % 2 == 0 ? "usr_a" : "usr_b";
    handover.most = kMany;
    handover.terms = "{}";
    while (true) {
      const auto taken = store_->TakePooled("fake", "{}", handover);
      if (!taken) {
        EXPECT_EQ(taken.error().code, ErrorCode::kNotFound);
        return;
      }
      const std::lock_guard<std::mutex> lock(mutex);
      given.insert(taken->id);
    }
  });
  EXPECT_EQ(given.size(), 30u);
  EXPECT_EQ(std::set<SandboxId>(given.begin(), given.end()).size(), 30u);
}

TEST_P(StoreConcurrency, ReadersSeeWholeRecordsWhileOthersWrite) {
  ASSERT_DONE(store_->AddSandbox(SandboxOf(1), kMany));
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    for (int i = 0; i < 200; ++i) {
      Sandbox mine = Found(1);
      mine.handle = mine.message = std::to_string(i);
      EXPECT_TRUE(store_->Change(mine, {SandboxState::kPending}));
    }
    stop = true;
  });
  InThreads([&](unsigned) {
    while (!stop) {
      const Sandbox seen = Found(1);
      EXPECT_EQ(seen.handle, seen.message);
    }
  });
  writer.join();
}

TEST_P(StoreConcurrency, PortsAreGivenOnce) {
  std::vector<std::uint16_t> ports;
  for (std::uint16_t port = 30000; port < 30100; ++port) ports.push_back(port);
  std::mutex mutex;
  std::multiset<std::uint16_t> given;
  std::atomic<unsigned> refused = 0;
  InThreads([&](unsigned thread) {
    for (std::uint64_t i = 0; i < 15; ++i) {
      const std::uint64_t number = thread * 100 + i;
      EXPECT_TRUE(store_->AddSandbox(SandboxOf(number), kMany));
      const auto port = store_->ReservePort(IdOf(number), ports);
      if (!port) {
        EXPECT_EQ(port.error().code, ErrorCode::kLimitExceeded);
        ++refused;
        continue;
      }
      const std::lock_guard<std::mutex> lock(mutex);
      given.insert(*port);
    }
  });
  EXPECT_EQ(given.size(), 100u);
  EXPECT_EQ(std::set<std::uint16_t>(given.begin(), given.end()).size(), 100u);
  EXPECT_EQ(refused, kThreads * 15 - 100);
}

TEST(StoreProcesses, MakeOneStoreTogether) {
  for (int round = 0; round < 10; ++round) {
    const testing::Tree tree;
    InTwoProcesses([&](unsigned process) {
      auto store = Store::Open(tree.At("s/store.db"));
      if (!store) std::fprintf(stderr, "%s\n", Said(store).c_str());
      const std::string name = std::to_string(process);
      return store && (*store)->AddUser({"usr_" + name, name, 1}).has_value();
    });
    EXPECT_EQ(Store::Open(tree.At("s/store.db")).value()->ListUsers().value().size(), 2u);
  }
}

TEST(StoreProcesses, NoUpdateIsLostAndTheCapHolds) {
  const testing::Tree tree;
  const std::string path = tree.At("s/store.db");
  ASSERT_DONE(WithUsers(path)->AddSandbox(SandboxOf(1), kMany));
  InTwoProcesses([&](unsigned process) {
    auto store = Store::Open(path).value();
    for (unsigned done = 0; done < 100;) {
      Sandbox mine = store->FindAnySandbox(IdOf(1)).value();
      mine.message += "x";
      const Status changed = store->Change(mine, {SandboxState::kPending});
      if (!changed && changed.error().code != ErrorCode::kStaleFile) return false;
      if (changed) ++done;
    }
    for (std::uint64_t i = 0; i < 20; ++i) {
      const Status added = store->AddSandbox(SandboxOf(1000 + process * 100 + i, "usr_b"), 21);
      if (!added && added.error().code != ErrorCode::kLimitExceeded) return false;
    }
    return true;
  });
  auto store = Store::Open(path).value();
  EXPECT_EQ(store->FindAnySandbox(IdOf(1)).value().message.size(), 200u);
  SandboxFilter filter;
  filter.user = "usr_b";
  EXPECT_EQ(store->ListSandboxes(filter).value().size(), 21u);
}

TEST(StoreProcesses, PortsAreGivenOnce) {
  const testing::Tree tree;
  const std::string path = tree.At("s/store.db");
  WithUsers(path).reset();
  InTwoProcesses([&](unsigned process) {
    auto store = Store::Open(path).value();
    std::vector<std::uint16_t> ports;
    for (std::uint16_t port = 30000; port < 30150; ++port) ports.push_back(port);
    for (std::uint64_t i = 0; i < 100; ++i) {
      const std::uint64_t number = process * 1000 + i;
      if (!store->AddSandbox(SandboxOf(number), kMany)) return false;
      const auto port = store->ReservePort(IdOf(number), ports);
      if (!port && port.error().code != ErrorCode::kLimitExceeded) return false;
    }
    return true;
  });
  auto store = Store::Open(path).value();
  SandboxFilter filter;
  filter.most = kMany;
  std::set<std::uint16_t> taken;
  const auto sandboxes = store->ListSandboxes(filter).value();
  for (const Sandbox& sandbox : sandboxes) {
    if (!sandbox.port) continue;
    EXPECT_TRUE(taken.insert(*sandbox.port).second);
  }
  EXPECT_EQ(taken.size(), 150u);
}

}  // namespace
}  // namespace cordon::store
