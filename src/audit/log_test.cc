#include "audit/log.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "audit/verify.h"
#include "tests/tree.h"

namespace cordon::audit {
namespace {

namespace fs = std::filesystem;
using testing::Tree;

confine::AmbientAuthority Authority() { return confine::AmbientAuthority::OfThisProcess(); }

LogPlace PlaceIn(const Tree& tree) {
  return {tree.At("state/audit.jsonl"), tree.At("state/audit.key")};
}

std::shared_ptr<Log> MustOpen(const LogPlace& place, const LogOptions& options = {}) {
  auto log = Log::Open(place, options, Authority());
  if (!log) ADD_FAILURE() << log.error().detail;
  return log ? *log : nullptr;
}

Record Read(std::string_view path) {
  Record record;
  record.session = "s1";
  record.actor = "agent";
  record.asked = path;
  record.decision = Decision::kAllowed;
  return record;
}

Verification MustVerify(const LogPlace& place) {
  auto verified = Verify(place, {}, Authority());
  if (!verified) {
    ADD_FAILURE() << verified.error().detail;
    return {};
  }
  if (verified->damage) {
    ADD_FAILURE() << DamageName(verified->damage->damage) << " " << verified->damage->file << ":"
                  << verified->damage->line << " " << verified->damage->detail;
  }
  return *verified;
}

TEST(Log, NumbersRecordsFromTheSecondOn) {
  const Tree tree;
  const auto log = MustOpen(PlaceIn(tree));
  ASSERT_TRUE(log);
  EXPECT_EQ(log->Append(Read("a"), Durability::kWithKernel).value(), 2u);
  EXPECT_EQ(log->Append(Read("b"), Durability::kOnDisk).value(), 3u);
  const Verification verified = MustVerify(PlaceIn(tree));
  EXPECT_EQ(verified.records, 3u);
  EXPECT_EQ(verified.first, 1u);
  EXPECT_EQ(verified.last, 3u);
  EXPECT_TRUE(verified.notes.empty());
}

TEST(Log, GoesOnWhereItWasLeft) {
  const Tree tree;
  for (std::uint64_t i = 2; i < 6; ++i) {
    const auto log = MustOpen(PlaceIn(tree));
    ASSERT_TRUE(log);
    EXPECT_EQ(log->Append(Read("a"), Durability::kWithKernel).value(), i);
  }
  EXPECT_EQ(MustVerify(PlaceIn(tree)).records, 5u);
}

TEST(Log, IsForItsOwnerAlone) {
  const Tree tree;
  const mode_t before = ::umask(0);
  const auto log = MustOpen(PlaceIn(tree));
  ::umask(before);
  for (const char* name : {"audit.jsonl", "audit.jsonl.head", "audit.key"}) {
    EXPECT_EQ(fs::status(tree.At("state/") + name).permissions(), fs::perms(0600)) << name;
  }
  EXPECT_EQ(fs::status(tree.At("state")).permissions(), fs::perms(0700));
}

TEST(Log, LeavesAFileWhenItIsFullAndKeepsTheChain) {
  const Tree tree;
  LogOptions options;
  options.rotate_at = 2000;
  {
    const auto log = MustOpen(PlaceIn(tree), options);
    ASSERT_TRUE(log);
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(log->Append(Read("a"), Durability::kWithKernel));
  }
  EXPECT_TRUE(fs::exists(tree.At("state/audit.jsonl.000003")));
  const Verification verified = MustVerify(PlaceIn(tree));
  EXPECT_GT(verified.records, 51u);
}

TEST(Log, TakesRecordsFromManyThreadsAndLogs) {
  const Tree tree;
  LogOptions options;
  options.rotate_at = 100'000;
  constexpr int kThreads = 4, kEach = 500;
  const auto one = MustOpen(PlaceIn(tree), options);
  const auto two = MustOpen(PlaceIn(tree), options);
  ASSERT_TRUE(one && two);
  std::vector<std::vector<std::uint64_t>> numbers(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      const auto& log = t % 2 == 0 ? one : two;
      for (int i = 0; i < kEach; ++i) {
        const auto durability = i % 100 == 99 ? Durability::kOnDisk : Durability::kWithKernel;
        auto seq = log->Append(Read("a"), durability);
        if (seq) numbers[static_cast<std::size_t>(t)].push_back(*seq);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  std::vector<std::uint64_t> all;
  for (const auto& of_thread : numbers) {
    EXPECT_EQ(of_thread.size(), static_cast<std::size_t>(kEach));
    EXPECT_TRUE(std::is_sorted(of_thread.begin(), of_thread.end()));
    all.insert(all.end(), of_thread.begin(), of_thread.end());
  }
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end()) << "a number was given twice";
  EXPECT_GE(MustVerify(PlaceIn(tree)).records, all.size());
}

TEST(Log, KeepsItsOwnKindsOfRecordsToItself) {
  const Tree tree;
  const auto log = MustOpen(PlaceIn(tree));
  Record record;
  for (const Event event : {Event::kLogOpened, Event::kLogRotated}) {
    record.event = event;
    EXPECT_EQ(log->Append(record, Durability::kWithKernel).error().code,
              ErrorCode::kInvalidArguments);
  }
}

}  // namespace
}  // namespace cordon::audit
