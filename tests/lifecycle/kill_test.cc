// The process is killed at every instant that has a name, one after the other. The next one finds
// everything as it was told, and leaves nothing behind.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <map>
#include <set>
#include <thread>

#include "provision/fault_point.h"
#include "store/connection.h"
#include "tests/lifecycle/invariants.h"
#include "tests/lifecycle/lifecycle_fixture.h"

namespace cordon::provision {
namespace {

constexpr std::size_t kMost = 3;

// What the one who is killed has told its clients, and at which instants it was.
struct Note {
  // kTouched: something is about to be done to it, so it may be so or so.
  enum class What : char { kReady, kPaused, kTouched, kEnded, kInstant, kDone } what;
  char text[40];  // an id, or the instant's name
};

class Notes {
 public:
  Notes() { EXPECT_EQ(::pipe2(ends_, O_CLOEXEC), 0); }
  ~Notes() {
    ::close(ends_[0]);
    if (ends_[1] >= 0) ::close(ends_[1]);
  }
  void Take(Note::What what, std::string_view text) const {
    Note note{what, {}};
    text.copy(note.text, sizeof note.text - 1);
    if (::write(ends_[1], &note, sizeof note) != sizeof note) std::_Exit(3);
  }
  std::vector<Note> ReadAll() {
    ::close(ends_[1]);
    ends_[1] = -1;
    std::vector<Note> all;
    Note note{};
    while (::read(ends_[0], &note, sizeof note) == sizeof note) all.push_back(note);
    return all;
  }

 private:
  int ends_[2] = {-1, -1};
};

// One life of a server: everything that has instants, in an order that does not change.
class Life {
 public:
  Life(const std::string& path, const std::string& world, const Notes& notes)
      : notes_(notes), driver_(std::make_shared<FakeDriver>(world)) {
    store_ = store::Store::Open(path).value();
    Sandboxes::Parts parts;
    parts.store = store_;
    parts.drivers = {driver_};
    parts.now = [this] { return now_.load(); };
    parts.free_memory = [this] { return free_memory_.load(); };
    Policy policy;
    policy.most_per_user = kMost;
    policy.check = std::chrono::hours(1);
    policy.pools.push_back({{}, 1});
    sandboxes_ = Sandboxes::Open(std::move(parts), policy).value();
  }

  void Run() {
    WaitForPool();
    free_memory_ = 0;
    const SandboxId pooled = Make({});
    const SandboxId cold = Make(Cold());
    FailToMake();
    Pause(cold);
    notes_.Take(Note::What::kTouched, cold.text());
    Must(sandboxes_->Resume("usr_a", cold));
    notes_.Take(Note::What::kReady, cold.text());
    Must(sandboxes_->Renew("usr_a", cold, std::chrono::hours(2)));
    Must(store_->ReservePort(cold, {30000, 30001, 30002, 30003}));
    End(cold);
    Die(pooled);
    const SandboxId idle = Make(Cold());
    notes_.Take(Note::What::kTouched, idle.text());
    now_ += std::chrono::milliseconds(Policy().idle).count();
    sandboxes_->CheckNow();
    notes_.Take(Note::What::kEnded, idle.text());
    const SandboxId old = Make(Cold());
    Pause(old);  // is not idle, but too old
    notes_.Take(Note::What::kTouched, old.text());
    now_ += std::chrono::milliseconds(Policy().lifetime).count();
    sandboxes_->CheckNow();
    notes_.Take(Note::What::kEnded, old.text());
    Evict();
    GiveUp();
    Must(store_->AddConversation(store::ConversationOf("cnv_" + std::to_string(now_)), nullptr));
    End(Make(Cold(), "cnv_" + std::to_string(now_)));
    sandboxes_.reset();
    notes_.Take(Note::What::kDone, "");
  }

 private:
  template <typename T>
  static void Must(const Result<T>& result) {
    if (result) return;
    std::fprintf(stderr, "%s\n", Said(result).c_str());
    std::_Exit(4);
  }
  static Wish Cold() {
    Wish wish;
    wish.image = "cold";
    return wish;
  }
  SandboxId Make(const Wish& wish, const std::optional<std::string>& conversation = {}) {
    const auto made = sandboxes_->Create({"usr_a", conversation}, wish);
    Must(made);
    notes_.Take(Note::What::kReady, made->id.text());
    return made->id;
  }
  void Pause(const SandboxId& id) {
    notes_.Take(Note::What::kTouched, id.text());
    Must(sandboxes_->Pause("usr_a", id));
    notes_.Take(Note::What::kPaused, id.text());
  }
  void End(const SandboxId& id) {
    notes_.Take(Note::What::kTouched, id.text());
    Must(sandboxes_->End("usr_a", id, "user_delete"));
    notes_.Take(Note::What::kEnded, id.text());
  }
  void WaitForPool() {
    store::SandboxFilter filter;
    filter.pooled = store::Sandbox::Pooled::kWaiting;
    filter.states = {SandboxState::kReady};
    while (store_->ListSandboxes(filter).value().empty()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  void FailToMake() {
    FakeDriver::Manners manners;
    manners.creation = FakeDriver::Manners::Creation::kFailsDirty;
    driver_->Behave(manners);
    if (sandboxes_->Create({"usr_a", {}}, Cold())) std::_Exit(5);
    driver_->Behave({});
  }
  void Die(const SandboxId& id) {
    // Not told: so that it is noticed at the look, and the order stays.
    notes_.Take(Note::What::kTouched, id.text());
    driver_->Die(id, {}, FakeDriver::Telling::kUnnoticed);
    notes_.Take(Note::What::kEnded, id.text());  // nothing else can become of it
    sandboxes_->CheckNow();
  }
  void Evict() {
    for (std::size_t i = 0; i < kMost; ++i) {
      notes_.Take(Note::What::kTouched, Make(Cold()).text());
    }
    now_ += std::chrono::milliseconds(Policy().evictable_after).count();
    const auto made = sandboxes_->Create({"usr_a", {}}, Cold());  // one of the others goes
    Must(made);
    store::SandboxFilter filter;
    filter.user = "usr_a";
    filter.states = {SandboxState::kReady};
    const auto left = store_->ListSandboxes(filter).value();
    for (const auto& sandbox : left) End(sandbox.id);
  }
  void GiveUp() {
    FakeDriver::Manners manners;
    manners.creation = FakeDriver::Manners::Creation::kHangs;
    driver_->Behave(manners);
    Must(sandboxes_->Begin({"usr_a", {}}, Cold()));
    driver_->AwaitCreations(1);
    now_ += std::chrono::milliseconds(Policy().provisioning).count();
    sandboxes_->CheckNow();
    driver_->Behave({});
  }

  const Notes& notes_;
  std::atomic<store::Time> now_ = 1'000'000;
  std::atomic<std::uint64_t> free_memory_ = std::uint64_t{64} << 30;
  std::shared_ptr<store::Store> store_;
  std::shared_ptr<FakeDriver> driver_;
  std::unique_ptr<Sandboxes> sandboxes_;
};

// Runs one life in a process of its own, killed at the `fatal`th instant; 0: not at all.
std::vector<Note> Live(const testing::Tree& tree, std::uint64_t fatal) {
  Notes notes;
  const pid_t child = ::fork();
  if (child == 0) {
    std::atomic<std::uint64_t> passed = 0;
    SetFaultHookForTest([&](std::string_view name) {
      notes.Take(Note::What::kInstant, name);
      if (++passed == fatal) std::raise(SIGKILL);
    });
    Life(tree.At("state/store.db"), tree.At("world"), notes).Run();
    std::_Exit(0);
  }
  auto all = notes.ReadAll();
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  const bool whole = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  EXPECT_TRUE(whole || killed) << "it gave up: " << status;
  return all;
}

void ExpectAsTold(store::Store& store, const std::vector<Note>& notes) {
  std::map<std::string, Note::What> last;
  for (const Note& note : notes) {
    if (note.what == Note::What::kInstant || note.what == Note::What::kDone) continue;
    last[note.text] = note.what;
  }
  for (const auto& [text, what] : last) {
    const auto record = store.FindAnySandbox(*SandboxId::Parse(text));
    ASSERT_TRUE(record) << "lost";
    const std::string_view state = store::StateName(record->state);
    switch (what) {
      case Note::What::kReady: EXPECT_EQ(state, "ready"); break;
      case Note::What::kPaused: EXPECT_EQ(state, "paused"); break;
      case Note::What::kEnded: EXPECT_EQ(state, "terminated"); break;
      default: break;
    }
  }
}

void ExpectWhole(const std::string& path) {
  auto connection = store::Connection::Open(path, store::Connection::Use::kRead).value();
  store::Statement check = connection->Prepare("PRAGMA integrity_check");
  ASSERT_EQ(check.Step().value(), store::Row::kThere);
  EXPECT_EQ(check.Text(), "ok");
}

// As the next process would, without a pool, so that nothing is made meanwhile.
void ReopenAndCheck(const testing::Tree& tree, const std::vector<Note>& notes) {
  const std::string path = tree.At("state/store.db");
  ExpectWhole(path);
  std::shared_ptr<store::Store> store = store::Store::Open(path).value();
  auto driver = std::make_shared<FakeDriver>(tree.At("world"));
  Sandboxes::Parts parts;
  parts.store = store;
  parts.drivers = {driver};
  parts.now = [] { return store::Time{1}; };
  parts.free_memory = [] { return std::uint64_t{0}; };
  Policy policy;
  policy.most_per_user = kMost;
  policy.check = std::chrono::hours(1);
  policy.pools.push_back({{}, 1});
  auto sandboxes = Sandboxes::Open(std::move(parts), policy);
  ASSERT_TRUE(sandboxes) << Said(sandboxes);
  ExpectSettled(*store, *driver, kMost);
  ExpectAsTold(*store, notes);
}

testing::Tree& Prepare(testing::Tree& tree) {
  tree.Dir("world").Dir("state");
  auto store = store::Store::Open(tree.At("state/store.db")).value();
  EXPECT_TRUE(store->AddUser({"usr_a", "a", 1}));
  return tree;
}

TEST(LifecycleKill, AtEveryInstant) {
  std::map<std::string, std::size_t> instants;
  std::uint64_t fatal = 0, kills = 0;
  while (true) {
    testing::Tree tree;
    const auto notes = Live(Prepare(tree), ++fatal);
    ASSERT_FALSE(notes.empty());
    const bool survived = notes.back().what == Note::What::kDone;
    if (!survived) ++kills;
    if (notes.back().what == Note::What::kInstant) ++instants[notes.back().text];
    ReopenAndCheck(tree, notes);
    if (::testing::Test::HasFailure()) {
      ADD_FAILURE() << "killed at instant " << fatal << ", " << notes.back().text;
      return;
    }
    if (survived) break;
    ASSERT_LT(fatal, 1000u) << "there is no end to it";
  }
  std::printf("%llu kills at %zu different places\n", static_cast<unsigned long long>(kills),
              instants.size());
  EXPECT_GE(kills, 100u);
  EXPECT_GE(instants.size(), 40u);
}

// A second process is killed while it settles what the first has left.
TEST(LifecycleKill, WhileRecovering) {
  for (const std::uint64_t first : {14u, 30u, 60u, 90u, 120u}) {
    for (std::uint64_t second = 1; second <= 12; ++second) {
      testing::Tree tree;
      const auto before = Live(Prepare(tree), first);
      const auto after = Live(tree, second);
      ReopenAndCheck(tree, before);
      ReopenAndCheck(tree, after);
      ASSERT_FALSE(::testing::Test::HasFailure()) << first << " and " << second;
    }
  }
}

// The variable that end-to-end tests set does what its header says.
TEST(LifecycleKill, ByVariable) {
  const auto ends_at = [](const char* variable, const std::vector<const char*>& names) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      ::setenv("CORDON_FAULT_POINT", variable, 1);
      std::vector<char*> arguments;
      std::string program = "/proc/self/exe", passing = "--pass";
      arguments.push_back(program.data());
      arguments.push_back(passing.data());
      std::vector<std::string> copies(names.begin(), names.end());
      for (std::string& name : copies) arguments.push_back(name.data());
      arguments.push_back(nullptr);
      ::execv(program.c_str(), arguments.data());
      std::_Exit(9);
    }
    ::close(ends[0]);
    ::close(ends[1]);
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  };
  EXPECT_TRUE(ends_at("b", {"a", "b"}));
  EXPECT_FALSE(ends_at("c", {"a", "b"}));
  EXPECT_FALSE(ends_at("", {"a", "b"}));
  EXPECT_TRUE(ends_at("b:2", {"b", "a", "b"}));
  EXPECT_FALSE(ends_at("b:2", {"b", "a", "a"}));
  EXPECT_TRUE(ends_at("3", {"b", "a", "a"}));
  EXPECT_FALSE(ends_at("4", {"b", "a", "a"}));
}

}  // namespace
}  // namespace cordon::provision

// With --pass, a process that only passes the instants named.
int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "--pass") {
    for (int i = 2; i < argc; ++i) cordon::provision::FaultPoint(argv[i]);
    return 0;
  }
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
