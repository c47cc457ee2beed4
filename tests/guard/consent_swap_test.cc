// A person agrees to one object; something else takes its place at every instant.
#include <fcntl.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <thread>

#include "tests/guard/guard_fixture.h"

namespace cordon::testing {
namespace {

constexpr const char* kApproved = "approved, and of a size of its own";
constexpr const char* kOther = "other";
constexpr const char* kSecret = "secret";
constexpr unsigned kExchange = 2;  // RENAME_EXCHANGE

// Exchanges two names, round and round, until told to stop.
class Swapper {
 public:
  Swapper(std::string name, std::vector<std::string> others)
      : name_(std::move(name)), others_(std::move(others)), thread_([this] { Run(); }) {}
  ~Swapper() {
    stop_ = true;
    thread_.join();
  }
  unsigned long swaps() const { return swaps_; }

 private:
  void Run() {
    for (std::size_t turn = 0; !stop_; ++turn) {
      const std::string& other = others_[turn % others_.size()];
      if (::syscall(SYS_renameat2, AT_FDCWD, name_.c_str(), AT_FDCWD, other.c_str(), kExchange) ==
          0) {
        ++swaps_;
      }
    }
  }
  std::string name_;
  std::vector<std::string> others_;
  std::atomic<bool> stop_{false};
  std::atomic<unsigned long> swaps_{0};
  std::thread thread_;
};

class ConsentSwap : public GuardTest {
 protected:
  enum class Op { kRead, kWrite, kAppend, kDelete, kRename };

  void Set() {
    WriteFile(At("o/p"), kApproved);
    WriteFile(At("o/q"), kOther);
    WriteFile(At("secret"), kSecret);
    ASSERT_EQ(::symlink(At("secret").c_str(), At("o/r").c_str()), 0);
  }

  // Agrees to the approved file under its own name and to nothing else.
  void StartCareful() {
    const std::string state =
        "a file of " + std::to_string(std::string(kApproved).size()) + " bytes";
    Start([this, state](const Question& question) -> Result<Choice> {
      const bool right = question.path == At("o/p") && question.state == state;
      if (right) ++agreed_;
      return right ? Choice::kOnce : Choice::kDeny;
    });
  }

  // One attempt; true when it was done.
  bool Attempt(Op op) {
    switch (op) {
      case Op::kRead: {
        const auto content = Read(At("o/p"));
        EXPECT_EQ(content.value_or(kApproved), kApproved);
        return content.has_value();
      }
      case Op::kWrite: return Write(At("o/p"), "new content").has_value();
      case Op::kAppend:
        return guard_->Append({"append", policy::ToolKind::kWrite, {}}, At("o/p"), "+").has_value();
      case Op::kDelete: return Remove(At("o/p")).has_value();
      case Op::kRename:
        return guard_->Rename({"move", policy::ToolKind::kWrite, {}}, At("o/p"), At("o/moved"))
            .has_value();
    }
    return false;
  }

  // Whatever name they have now, the other file and the link are what they were.
  void CheckOthers(Op op, bool done) {
    int others = 0, links = 0, approved = 0;
    for (const char* name : {"o/p", "o/q", "o/r", "o/moved"}) {
      struct stat stat;
      if (::lstat(At(name).c_str(), &stat) != 0) continue;
      if (S_ISLNK(stat.st_mode)) {
        ++links;
      } else if (ReadFile(At(name)) == kOther) {
        ++others;
      } else if (ReadFile(At(name)) == kApproved) {
        ++approved;
      }
    }
    EXPECT_EQ(others, 1) << "operation " << static_cast<int>(op) << " touched the other file";
    EXPECT_EQ(links, 1) << "operation " << static_cast<int>(op) << " touched the link";
    EXPECT_EQ(ReadFile(At("secret")), kSecret);
    const bool stays = op == Op::kRead || op == Op::kRename || !done;
    EXPECT_EQ(approved, stays ? 1 : 0) << "operation " << static_cast<int>(op);
  }

  void Clear() {
    for (const char* name : {"o/p", "o/q", "o/r", "o/moved"}) ::unlink(At(name).c_str());
  }

  int agreed_ = 0;
};

TEST_F(ConsentSwap, NothingButTheApprovedObjectIsEverTouched) {
  StartCareful();
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  const auto latest = end + std::chrono::seconds(55);  // for slow builds, to do each at least once
  unsigned long swaps = 0;
  int rounds = 0;
  std::array<int, 5> done{};
  const auto all_done = [&] { return std::find(done.begin(), done.end(), 0) == done.end(); };
  for (auto now = std::chrono::steady_clock::now();
       (now < end || (!all_done() && now < latest)) && !HasFailure();
       now = std::chrono::steady_clock::now()) {
    const Op op = static_cast<Op>(rounds++ % 5);
    Set();
    bool success = false;
    {
      Swapper swapper(At("o/p"), {At("o/q"), At("o/r")});
      for (int attempt = 0; attempt < 3 && !success; ++attempt) success = Attempt(op);
      swaps += swapper.swaps();
    }
    CheckOthers(op, success);
    if (success) ++done[static_cast<std::size_t>(op)];
    Clear();
  }
  for (std::size_t op = 0; op < done.size(); ++op) {
    EXPECT_GT(done[op], 0) << "operation " << op << " was never done: the test shows nothing";
  }
  EXPECT_GT(swaps, 1000U);
  EXPECT_GT(agreed_, 10);
  std::printf(
      "rounds %d, swaps %lu, agreed %d, done %d read, %d write, %d append, %d delete, %d rename\n",
      rounds, swaps, agreed_, done[0], done[1], done[2], done[3], done[4]);
}

}  // namespace
}  // namespace cordon::testing
