// Writers are killed at random instants, three hundred times. Whatever they were told
// was recorded is in the log, once, and the log is whole.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "audit/deferral.h"
#include "audit/reader.h"
#include "audit/stage.h"
#include "tests/audit/log_fixture.h"

namespace cordon::audit {
namespace {

using testing::Tree;

constexpr int kThreads = 2;

// Written to a pipe at once, so that a kill leaves all of it or nothing.
struct Acknowledged {
  std::uint64_t seq;  // 0: of a record that was deferred, which has a number, but which is not told
  std::uint32_t writer, thread, count;
  std::string marker() const {
    return std::to_string(writer) + "-" + std::to_string(thread) + "-" + std::to_string(count);
  }
};

void AppendForever(Log& log, Acknowledged next, int pipe) {
  for (next.count = 0;; ++next.count) {
    const std::string marker = next.marker();
    Record record = ReadOf("some/file");
    record.session = marker;
    const bool flushed = next.count % 64 == 63;
    const auto seq = log.Append(record, flushed ? Durability::kOnDisk : Durability::kWithKernel);
    if (!seq) {
      std::fprintf(stderr, "append: %s\n", seq.error().detail.c_str());
      std::_Exit(1);
    }
    next.seq = *seq;
    if (::write(pipe, &next, sizeof next) != sizeof next) std::_Exit(2);
  }
}

// The same, many in one write.
void DeferForever(Log& log, Acknowledged next, int pipe) {
  constexpr std::uint32_t kTogether = 16;
  for (next.count = 0;;) {
    const Acknowledged first = next;
    Deferral deferral;
    for (std::uint32_t i = 0; i < kTogether; ++i, ++next.count) {
      const std::string marker = next.marker();
      Record record = ReadOf("some/file");
      record.session = marker;
      if (!log.Append(record, Durability::kWithKernel)) std::_Exit(1);
    }
    next.count = first.count;
    for (const auto& receipt : deferral.Take()) {
      if (!receipt->Await()) std::_Exit(1);
      if (::write(pipe, &next, sizeof next) != sizeof next) std::_Exit(2);
      ++next.count;
    }
  }
}

[[noreturn]] void RunWriter(const LogPlace& place, const LogOptions& options, std::uint32_t writer,
                            int pipe) {
  auto log = Log::Open(place, options, Authority());
  if (!log) {
    std::fprintf(stderr, "open: %s\n", log.error().detail.c_str());
    std::_Exit(1);
  }
  std::vector<std::thread> threads;
  for (std::uint32_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      const auto forever = i == 0 ? AppendForever : DeferForever;
      forever(**log, {0, writer, i, 0}, pipe);
    });
  }
  for (auto& thread : threads) thread.join();
  std::_Exit(3);
}

// Several writers of one log, killed and replaced.
class Killing {
 public:
  Killing(const LogPlace& place, const LogOptions& options, unsigned seed)
      : place_(place), options_(options), random_(seed) {
    if (::pipe2(pipe_, O_CLOEXEC) != 0) std::abort();
    ::fcntl(pipe_[0], F_SETFL, O_NONBLOCK);
    // So that they are killed at work, and not while they wait for us to read.
    ::fcntl(pipe_[1], F_SETPIPE_SZ, 1 << 20);
  }
  Killing(const Killing&) = delete;
  Killing& operator=(const Killing&) = delete;
  ~Killing() {
    for (const pid_t child : running_) {
      ::kill(child, SIGKILL);
      ::waitpid(child, nullptr, 0);
    }
    ::close(pipe_[0]);
    ::close(pipe_[1]);
  }

  void Start() {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) RunWriter(place_, options_, started_, pipe_[1]);
    ++started_;
    running_.push_back(child);
  }

  // Until something was acknowledged, so that a slow machine kills writers at work too.
  void WaitForMore() {
    const std::size_t before = acknowledged_.size();
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (acknowledged_.size() == before) {
      Collect();
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      ASSERT_LT(std::chrono::steady_clock::now(), until) << "nobody writes";
    }
  }

  // Reads what was acknowledged meanwhile, as the pipe is small.
  void WaitAbout(std::chrono::microseconds longest) {
    const auto wait = std::chrono::microseconds(random_() % static_cast<unsigned>(longest.count()));
    const auto until = std::chrono::steady_clock::now() + wait;
    do {
      Collect();
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    } while (std::chrono::steady_clock::now() < until);
  }

  void KillOne() {
    const std::size_t which = random_() % running_.size();
    const pid_t child = running_[which];
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(which));
    int status = 0;
    ::kill(child, SIGKILL);
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "a writer gave up with status " << WEXITSTATUS(status);
    Collect();
  }

  std::size_t running() const { return running_.size(); }
  const std::vector<Acknowledged>& acknowledged() const { return acknowledged_; }

 private:
  void Collect() {
    Acknowledged next;
    while (::read(pipe_[0], &next, sizeof next) == sizeof next) acknowledged_.push_back(next);
  }

  LogPlace place_;
  LogOptions options_;
  std::mt19937 random_;
  int pipe_[2] = {-1, -1};
  std::uint32_t started_ = 0;
  std::vector<pid_t> running_;
  std::vector<Acknowledged> acknowledged_;
};

// Markers by number, as whoever only looks sees them: nobody has put anything right.
std::map<std::uint64_t, std::string> MarkersOf(const LogPlace& place) {
  std::map<std::uint64_t, std::string> markers;
  Reader reader = Reader::Open(place.log_file, Authority()).value();
  const Status read = reader.ReadNew([&](const Reader::Line& told) {
    const std::string line(told.text);
    const std::size_t at = line.find("\"session\":\"");
    if (at == std::string::npos) return ReadOn::kYes;
    const std::size_t from = at + 11;
    const bool fresh =
        markers.emplace(std::stoull(line.substr(7)), line.substr(from, line.find('"', from) - from))
            .second;
    EXPECT_TRUE(fresh) << "a number is there twice: " << line;
    return ReadOn::kYes;
  });
  EXPECT_TRUE(read) << read.error().detail;
  return markers;
}

void ExpectAllThere(const LogPlace& place, const std::vector<Acknowledged>& acknowledged) {
  const auto markers = MarkersOf(place);
  std::set<std::string> once;
  for (const auto& [seq, marker] : markers) {
    EXPECT_TRUE(once.insert(marker).second) << marker << " is there twice";
  }
  std::size_t missing = 0;
  for (const Acknowledged& one : acknowledged) {
    const auto found = markers.find(one.seq);
    const bool numbered = found != markers.end() && found->second == one.marker();
    if (one.seq == 0 ? !once.contains(one.marker()) : !numbered) ++missing;
  }
  EXPECT_EQ(missing, 0u) << "of " << acknowledged.size() << " acknowledged records";
}

bool SomethingIsStaged(const LogPlace& place) {
  return !ReadStagedUnchecked(Slurp(place.log_file + ".head")).bytes.empty();
}

void KillWriters(std::uint64_t rotate_at, int kills, unsigned seed) {
  const Tree tree;
  const LogPlace place = PlaceIn(tree);
  LogOptions options;
  options.rotate_at = rotate_at;
  Killing killing(place, options, seed);
  int staged = 0;
  for (int killed = 0; killed < kills; ++killed) {
    while (killing.running() < 3) killing.Start();
    killing.WaitForMore();
    killing.WaitAbout(std::chrono::milliseconds(20));
    killing.KillOne();
    if (killed % 25 == 0) MustVerify(place);  // while others write
    if (SomethingIsStaged(place)) ++staged;
    if (::testing::Test::HasFatalFailure() || ::testing::Test::HasFailure()) return;
  }
  while (killing.running() > 0) killing.KillOne();
  EXPECT_GT(staged, 0) << "no kill fell on a log with staged records";
  MustVerify(place);
  ExpectAllThere(place, killing.acknowledged());
  MustOpen(place, options);
  const Verification verified = MustVerify(place);
  EXPECT_TRUE(verified.notes.empty()) << verified.notes.front();
  ExpectAllThere(place, killing.acknowledged());
  std::printf("%d kills, %d with something staged, %zu records acknowledged, %zu files\n", kills,
              staged, killing.acknowledged().size(),
              static_cast<std::size_t>(
                  std::distance(std::filesystem::directory_iterator(tree.At("state")), {})) -
                  2);
}

TEST(Kill, LosesNothingThatWasAcknowledged) { KillWriters(64u << 20, 100, 1); }

// So small that a good part of the kills falls into a rotation.
TEST(Kill, LosesNothingWhileFilesAreLeft) { KillWriters(2'000, 120, 2); }

TEST(Kill, LosesNothingWithFilesOfMiddlingSize) { KillWriters(200'000, 80, 3); }

// Two processes make a log at the same time, and are killed while they do.
TEST(Kill, WhileALogIsMade) {
  for (unsigned round = 0; round < 60; ++round) {
    const Tree tree;
    const LogPlace place = PlaceIn(tree);
    Killing killing(place, {}, 100 + round);
    killing.Start();
    killing.Start();
    killing.WaitAbout(std::chrono::milliseconds(25));
    killing.KillOne();
    killing.KillOne();
    ASSERT_FALSE(::testing::Test::HasFailure());
    const auto log = MustOpen(place);
    ASSERT_TRUE(log) << round;
    ASSERT_TRUE(log->Append(ReadOf("after"), Durability::kWithKernel));
    MustVerify(place);
    ExpectAllThere(place, killing.acknowledged());
  }
}

}  // namespace
}  // namespace cordon::audit
