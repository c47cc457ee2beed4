// Writers are killed at random instants. What they were told was written is there, and the file is
// whole.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include "store/connection.h"
#include "store/store_fixture_test.h"

namespace cordon::store {
namespace {

// Written to a pipe at once, so that a kill leaves all of it or nothing.
struct Acknowledged {
  enum class What : std::uint32_t { kAdded, kReady, kEnded, kPort, kUser } what;
  std::uint32_t value;
  std::uint64_t number;
};

class Writer {
 public:
  Writer(Store& store, int pipe, std::uint64_t first) : store_(store), pipe_(pipe), next_(first) {}

  [[noreturn]] void WriteForever() {
    std::vector<std::uint16_t> ports;
    for (std::uint16_t port = 30000; port < 40000; ++port) ports.push_back(port);
    while (true) {
      const std::uint64_t number = next_++;
      Must(store_.AddSandbox(SandboxOf(number), 1'000'000));
      Tell({Acknowledged::What::kAdded, 0, number});
      const auto port = store_.ReservePort(IdOf(number), ports);
      Must(port);
      Tell({Acknowledged::What::kPort, *port, number});
      Step(number, SandboxState::kReady, Acknowledged::What::kReady);
      if (number % 2 == 0) Step(number, SandboxState::kTerminated, Acknowledged::What::kEnded);
      if (number % 8 == 0) {
        const std::string name = std::to_string(number);
        Must(store_.AddUser({"usr_" + name, name, 1}));
        Tell({Acknowledged::What::kUser, 0, number});
      }
    }
  }

 private:
  template <typename T>
  static void Must(const Result<T>& result) {
    if (result) return;
    std::fprintf(stderr, "%s\n", Said(result).c_str());
    std::_Exit(1);
  }
  void Step(std::uint64_t number, SandboxState to, Acknowledged::What what) {
    auto found = store_.FindAnySandbox(IdOf(number));
    Must(found);
    const SandboxState from = found->state;
    found->state = to;
    if (HasEnded(to)) found->ended = 1;
    Must(store_.Change(*found, {from}));
    Tell({what, 0, number});
  }
  void Tell(const Acknowledged& done) {
    if (::write(pipe_, &done, sizeof done) != sizeof done) std::_Exit(2);
  }

  Store& store_;
  const int pipe_;
  std::uint64_t next_;
};

std::vector<Acknowledged> WriteAndKill(const std::string& path, std::uint64_t first,
                                       std::chrono::microseconds after) {
  int ends[2];
  EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    auto store = Store::Open(path);
    if (!store) {
      std::fprintf(stderr, "%s\n", Said(store).c_str());
      std::_Exit(1);
    }
    Writer(**store, ends[1], first).WriteForever();
  }
  ::close(ends[1]);
  std::this_thread::sleep_for(after);
  ::kill(child, SIGKILL);
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status)) << "the writer gave up";
  std::vector<Acknowledged> all;
  Acknowledged one{};
  while (::read(ends[0], &one, sizeof one) == sizeof one) all.push_back(one);
  ::close(ends[0]);
  return all;
}

void ExpectThere(Store& store, const Acknowledged& done) {
  if (done.what == Acknowledged::What::kUser) {
    EXPECT_TRUE(store.FindUser("usr_" + std::to_string(done.number))) << done.number;
    return;
  }
  const auto found = store.FindAnySandbox(IdOf(done.number));
  ASSERT_TRUE(found) << done.number << ": " << Said(found);
  switch (done.what) {
    case Acknowledged::What::kPort: EXPECT_EQ(found->port, done.value); break;
    case Acknowledged::What::kReady: EXPECT_NE(found->state, SandboxState::kPending); break;
    case Acknowledged::What::kEnded: EXPECT_EQ(found->state, SandboxState::kTerminated); break;
    default: break;
  }
}

void ExpectWhole(const std::string& path) {
  auto connection = Connection::Open(path, Connection::Use::kRead).value();
  Statement whole = connection->Prepare("PRAGMA integrity_check");
  ASSERT_EQ(whole.Step().value(), Row::kThere);
  EXPECT_EQ(whole.Text(), "ok");
  EXPECT_EQ(connection->Prepare("PRAGMA foreign_key_check").Step().value(), Row::kNone);
}

TEST(StoreKill, LosesNothingThatWasAcknowledged) {
  const testing::Tree tree;
  const std::string path = tree.At("s/store.db");
  ASSERT_DONE(Store::Open(path).value()->AddUser({"usr_a", "ann", 1}));
  std::mt19937 random(7);
  std::size_t acknowledged = 0, kills = 0;
  for (std::uint64_t round = 0; round < 60; ++round) {
    const auto after = std::chrono::microseconds(1'000 + random() % 150'000);
    const auto told = WriteAndKill(path, (round + 1) * 1'000'000, after);
    ExpectWhole(path);  // before anybody has opened the store, and so put it right
    auto store = Store::Open(path);
    ASSERT_TRUE(store) << Said(store);
    for (const Acknowledged& done : told) ExpectThere(**store, done);
    if (HasFailure()) return;
    acknowledged += told.size();
    if (!told.empty()) ++kills;
  }
  EXPECT_GT(kills, 20u) << "too few kills fell on a writer at work";
  std::printf("60 kills, %zu of them while writing, %zu writes acknowledged\n", kills,
              acknowledged);
}

// Killed while the tables are made: the next one makes them, or finds them made.
TEST(StoreKill, WhileAStoreIsMade) {
  std::mt19937 random(8);
  for (unsigned round = 0; round < 40; ++round) {
    const testing::Tree tree;
    const std::string path = tree.At("s/store.db");
    const pid_t child = ::fork();
    if (child == 0) {
      [[maybe_unused]] auto store = Store::Open(path);
      std::_Exit(0);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 60'000));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    auto store = Store::Open(path);
    ASSERT_TRUE(store) << Said(store);
    ASSERT_DONE((*store)->AddUser({"usr_a", "ann", 1}));
  }
}

}  // namespace
}  // namespace cordon::store
