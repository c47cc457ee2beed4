// Random lives: several users do random things at once until the process is killed at a random
// instant, or ends; then the next process goes on with what is there.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "provision/fault_point.h"
#include "tests/lifecycle/invariants.h"
#include "tests/lifecycle/lifecycle_fixture.h"

namespace cordon::provision {
namespace {

constexpr std::size_t kMost = 3;
constexpr unsigned kUsers = 3;

std::string UserOf(unsigned number) { return "usr_" + std::to_string(number); }

// What a user was told, before and after each thing that was done. One write to a pipe each.
struct Told {
  enum class What : std::uint32_t { kAsked, kReady, kEnded } what;
  std::uint32_t user;
  char id[32];
};

class Server {
 public:
  Server(const testing::Tree& tree, unsigned seed, std::uint64_t free_memory) : seed_(seed) {
    store_ = store::Store::Open(tree.At("state/store.db")).value();
    driver_ = std::make_shared<FakeDriver>(tree.At("world"));
    Sandboxes::Parts parts;
    parts.store = store_;
    parts.drivers = {driver_};
    parts.now = [this] { return now_.load(); };
    parts.free_memory = [free_memory] { return free_memory; };
    Policy policy;
    policy.most_per_user = kMost;
    policy.evictable_after = std::chrono::seconds(20);
    policy.idle = std::chrono::seconds(100);
    policy.when_idle = seed % 2 == 0 ? Policy::Idle::kEnd : Policy::Idle::kPause;
    policy.check = std::chrono::hours(1);
    policy.pools.push_back({{}, 2});
    auto opened = Sandboxes::Open(std::move(parts), policy);
    if (!opened) {
      std::fprintf(stderr, "%s\n", Said(opened).c_str());
      std::_Exit(4);
    }
    sandboxes_ = std::move(*opened);
  }

  void Live(int pipe) {
    pipe_ = pipe;
    std::vector<std::thread> threads;
    for (unsigned user = 0; user < kUsers; ++user) {
      threads.emplace_back([this, user] { Act(user); });
    }
    for (std::thread& thread : threads) thread.join();
    driver_->Behave({});
    sandboxes_.reset();
  }

  store::Store& store() { return *store_; }
  FakeDriver& driver() { return *driver_; }
  Sandboxes& sandboxes() { return *sandboxes_; }

 private:
  void Act(unsigned user) {
    std::mt19937 random(seed_ * 31 + user);
    for (int step = 0; step < 14; ++step) Step(user, random);
  }

  void Step(unsigned user, std::mt19937& random) {
    const auto mine = Mine(user);
    const unsigned what = random() % 12;
    if (mine.empty() || what < 3) {
      Make(user, random);
      return;
    }
    const SandboxId& id = mine[random() % mine.size()];
    const std::string name = UserOf(user);
    switch (what) {
      case 3:
        Tell(Told::What::kAsked, user, id);
        if (sandboxes_->End(name, id, "user_delete")) Tell(Told::What::kEnded, user, id);
        break;
      case 4: [[fallthrough]];
      case 5: {
        const auto changed = what == 4 ? sandboxes_->Pause(name, id) : sandboxes_->Resume(name, id);
        if (changed && changed->user != name) std::_Exit(6);
        break;
      }
      case 6:
        Tell(Told::What::kAsked, user, id);
        driver_->Die(
            id, {},
            random() % 2 == 0 ? FakeDriver::Telling::kTold : FakeDriver::Telling::kUnnoticed);
        break;
      case 7: {
        FakeDriver::Manners manners;  // for everybody, until somebody else comes here
        manners.creation = static_cast<FakeDriver::Manners::Creation>(random() % 4);
        if (manners.creation == FakeDriver::Manners::Creation::kHangs) manners = {};
        manners.destroy = random() % 4 == 0 ? FakeDriver::Manners::Rest::kFails
                                            : FakeDriver::Manners::Rest::kWorks;
        driver_->Behave(manners);
        break;
      }
      case 8:
        now_ += static_cast<store::Time>(random() % 30'000);
        sandboxes_->CheckNow();
        break;
      default: {
        const auto lease = sandboxes_->Use(name, id);
        if (lease && lease->sandbox.user != name) std::_Exit(6);
        const auto stolen = sandboxes_->Use(UserOf((user + 1) % kUsers), id);
        if (stolen) std::_Exit(7);
      }
    }
  }

  void Make(unsigned user, std::mt19937& random) {
    Wish wish;
    if (random() % 2 == 0) wish.image = "cold";
    For whose{UserOf(user), {}};
    if (random() % 2 == 0) {
      whose.conversation = "cnv_" + std::to_string(seed_) + "_" + std::to_string(random());
      auto conversation = store::ConversationOf(*whose.conversation, whose.user);
      if (!store_->AddConversation(conversation, nullptr)) std::_Exit(5);
    }
    const auto made = sandboxes_->Create(whose, wish);
    if (made && made->user != whose.user) std::_Exit(6);
    if (made) Tell(Told::What::kReady, user, made->id);
    if (!made && whose.conversation) {
      [[maybe_unused]] auto forgotten = store_->ForgetConversation(*whose.conversation);
    }
  }

  std::vector<SandboxId> Mine(unsigned user) {
    store::SandboxFilter filter;
    filter.user = UserOf(user);
    filter.states = {SandboxState::kPending, SandboxState::kReady, SandboxState::kPaused,
                     SandboxState::kTerminating};
    std::vector<SandboxId> ids;
    const auto listed = sandboxes_->List(filter).value();
    if (listed.size() > kMost) std::_Exit(8);
    for (const Sandbox& sandbox : listed) ids.push_back(sandbox.id);
    return ids;
  }

  void Tell(Told::What what, unsigned user, const SandboxId& id) const {
    Told told{what, user, {}};
    id.text().copy(told.id, sizeof told.id - 1);
    if (::write(pipe_, &told, sizeof told) != sizeof told) std::_Exit(3);
  }

  const unsigned seed_;
  int pipe_ = -1;
  std::atomic<store::Time> now_ = 1'000'000;
  std::shared_ptr<store::Store> store_;
  std::shared_ptr<FakeDriver> driver_;
  std::unique_ptr<Sandboxes> sandboxes_;
};

struct Outcome {
  bool killed = false;
  std::vector<Told> told;
};

Outcome LiveInAnotherProcess(const testing::Tree& tree, unsigned seed, std::uint64_t fatal) {
  int ends[2];
  EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    std::atomic<std::uint64_t> passed = 0;
    SetFaultHookForTest([&](std::string_view) {
      if (++passed == fatal) std::raise(SIGKILL);
    });
    Server(tree, seed, std::uint64_t{64} << 30).Live(ends[1]);
    std::_Exit(0);
  }
  ::close(ends[1]);
  Outcome outcome;
  Told told{};
  while (::read(ends[0], &told, sizeof told) == sizeof told) outcome.told.push_back(told);
  ::close(ends[0]);
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  outcome.killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  EXPECT_TRUE(outcome.killed || status == 0) << "status " << status;
  return outcome;
}

// What was told to be ended is; what was told to be ready is there, and its user's. It may have
// been evicted or have grown idle since, and then says so.
void ExpectAsTold(store::Store& store, const std::vector<Told>& told) {
  std::map<std::string, Told> last;
  for (const Told& one : told) last[one.id] = one;
  for (const auto& [text, one] : last) {
    const auto record = store.FindSandbox(UserOf(one.user), *SandboxId::Parse(text));
    ASSERT_TRUE(record) << text << " is lost";
    const bool ended = store::HasEnded(record->state);
    EXPECT_TRUE(ended || one.what != Told::What::kEnded);
    if (one.what != Told::What::kReady || !ended) continue;
    EXPECT_TRUE(record->reason == "evicted" || record->reason == "idle") << record->reason;
  }
}

TEST(LifecycleProperty, RandomLivesAndDeaths) {
  unsigned lives = 0, killed = 0;
  std::size_t told = 0;
  for (unsigned story = 0; story < 12; ++story) {
    testing::Tree tree;
    tree.Dir("world").Dir("state");
    {
      auto store = store::Store::Open(tree.At("state/store.db")).value();
      for (unsigned user = 0; user < kUsers; ++user) {
        ASSERT_DONE(store->AddUser({UserOf(user), UserOf(user), 1}));
      }
    }
    std::mt19937 random(story);
    for (unsigned life = 0; life < 8; ++life) {
      const unsigned seed = story * 100 + life;
      const std::uint64_t fatal = 1 + random() % 350;
      const Outcome outcome = LiveInAnotherProcess(tree, seed, fatal);
      ++lives;
      if (outcome.killed) ++killed;
      told += outcome.told.size();
      // As the next process would find it, but that its pool makes nothing.
      Server next(tree, seed, 0);
      ExpectSettled(next.store(), next.driver(), kMost);
      ExpectAsTold(next.store(), outcome.told);
      ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << seed << ", instant " << fatal;
    }
  }
  std::printf("%u lives, %u of them killed, %zu things told\n", lives, killed, told);
  EXPECT_GT(killed, lives / 3);
  EXPECT_GT(told, 200u);
}

}  // namespace
}  // namespace cordon::provision
