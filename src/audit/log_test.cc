#include "audit/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "tests/audit/log_fixture.h"

namespace cordon::audit {
namespace {

namespace fs = std::filesystem;
using testing::Tree;

TEST(Log, NumbersRecordsFromTheSecondOn) {
  const Tree tree;
  const auto log = MustOpen(PlaceIn(tree));
  ASSERT_TRUE(log);
  EXPECT_EQ(log->Append(ReadOf("a"), Durability::kWithKernel).value(), 2u);
  EXPECT_EQ(log->Append(ReadOf("b"), Durability::kOnDisk).value(), 3u);
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
    EXPECT_EQ(log->Append(ReadOf("a"), Durability::kWithKernel).value(), i);
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
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(log->Append(ReadOf("a"), Durability::kWithKernel));
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
        auto seq = log->Append(ReadOf("a"), durability);
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

Error OpenError(const LogPlace& place) {
  auto log = Log::Open(place, {}, Authority());
  if (!log) return log.error();
  ADD_FAILURE() << "it was opened";
  return {};
}

TEST(Log, RefusesAKeyThatOthersMayRead) {
  const Tree tree;
  MustOpen(PlaceIn(tree));
  fs::permissions(tree.At("state/audit.key"), fs::perms(0644));
  const Error error = OpenError(PlaceIn(tree));
  EXPECT_EQ(error.code, ErrorCode::kPermissionDenied);
  EXPECT_EQ(error.detail,
            "the audit log cannot be opened (audit.key is open to other users; its mode must be "
            "0600)");
}

TEST(Log, RefusesALogOrHeadThatOthersMayWrite) {
  for (const char* name : {"audit.jsonl", "audit.jsonl.head"}) {
    const Tree tree;
    MustOpen(PlaceIn(tree));
    fs::permissions(tree.At("state/") + name, fs::perms(0622));
    EXPECT_EQ(OpenError(PlaceIn(tree)).code, ErrorCode::kPermissionDenied) << name;
  }
}

TEST(Log, RefusesLinksInPlaceOfItsFiles) {
  for (const char* name : {"audit.jsonl", "audit.jsonl.head", "audit.key"}) {
    const Tree tree;
    MustOpen(PlaceIn(tree));
    const std::string path = tree.At("state/") + name;
    fs::rename(path, tree.At("elsewhere"));
    tree.Link(std::string("state/") + name, "../elsewhere");
    EXPECT_EQ(OpenError(PlaceIn(tree)).code, ErrorCode::kNotARegularFile) << name;
    fs::remove(path);
    fs::create_hard_link(tree.At("elsewhere"), path);
    EXPECT_EQ(OpenError(PlaceIn(tree)).code, ErrorCode::kPermissionDenied) << name;
    fs::remove(path);
    tree.Fifo(std::string("state/") + name);
    EXPECT_EQ(OpenError(PlaceIn(tree)).code, ErrorCode::kNotARegularFile) << name;
  }
}

TEST(Log, NeverMakesANewKeyForAnOldLog) {
  const Tree tree;
  MustOpen(PlaceIn(tree));
  fs::remove(tree.At("state/audit.key"));
  const Error error = OpenError(PlaceIn(tree));
  EXPECT_EQ(error.code, ErrorCode::kIoError);
  EXPECT_THAT(error.detail, ::testing::HasSubstr("audit.key is gone"));
  EXPECT_FALSE(fs::exists(tree.At("state/audit.key")));
}

TEST(Log, IsNotOpenedWithoutItsHead) {
  const Tree tree;
  MustOpen(PlaceIn(tree));
  fs::remove(tree.At("state/audit.jsonl.head"));
  EXPECT_THAT(OpenError(PlaceIn(tree)).detail,
              ::testing::HasSubstr("head audit.jsonl.head is missing"));
}

TEST(Log, IsNotOpenedWithAnotherKey) {
  const Tree tree, other;
  MustOpen(PlaceIn(tree));
  MustOpen(PlaceIn(other));
  fs::copy_file(other.At("state/audit.key"), tree.At("state/audit.key"),
                fs::copy_options::overwrite_existing);
  EXPECT_THAT(OpenError(PlaceIn(tree)).detail, ::testing::HasSubstr("signature is wrong"));
}

TEST(Log, IsNotOpenedWhereNothingMayBeMade) {
  if (::geteuid() == 0) {
    // The superuser is stopped by no mode: a file where a directory must be does it.
    const Tree tree;
    tree.File("state", "");
    const Error error = OpenError(PlaceIn(tree));
    EXPECT_EQ(error.code, ErrorCode::kIoError);
    EXPECT_EQ(error.detail, "the audit log cannot be opened (Not a directory)");
    return;
  }
  const Tree tree;
  tree.Dir("state");
  fs::permissions(tree.At("state"), fs::perms(0500));
  EXPECT_EQ(OpenError(PlaceIn(tree)).code, ErrorCode::kPermissionDenied);
}

TEST(Log, WantsAbsolutePlaces) {
  EXPECT_EQ(OpenError({"audit.jsonl", "/tmp/key"}).code, ErrorCode::kInvalidArguments);
  EXPECT_EQ(OpenError({"/tmp/", "/tmp/key"}).code, ErrorCode::kInvalidArguments);
}

// Longer than the log leaves between two looks at its file.
void LetItLookAgain() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

void ExpectRefusedForGood(Log& log, const std::string& why) {
  LetItLookAgain();
  for (int i = 0; i < 2; ++i) {
    auto appended = log.Append(ReadOf("x"), Durability::kWithKernel);
    ASSERT_FALSE(appended.has_value());
    EXPECT_EQ(appended.error().code, ErrorCode::kIoError);
    EXPECT_EQ(appended.error().rule, "audit");
    EXPECT_THAT(appended.error().detail, ::testing::HasSubstr(why));
    EXPECT_THAT(appended.error().detail, ::testing::HasSubstr("cordon audit verify"));
  }
}

TEST(Log, RefusesWhenItsFileIsRemovedCutOrExtended) {
  const Tree removed, cut, extended;
  const auto one = MustOpen(PlaceIn(removed));
  const auto two = MustOpen(PlaceIn(cut));
  const auto three = MustOpen(PlaceIn(extended));
  // In the file, and not in the stage only.
  for (const auto& log : {one, two, three}) ASSERT_TRUE(log->Flush());
  fs::remove(removed.At("state/audit.jsonl"));
  ExpectRefusedForGood(*one, "was removed");
  fs::resize_file(cut.At("state/audit.jsonl"), 10);
  ExpectRefusedForGood(*two, "is shorter than it was");
  std::ofstream(extended.At("state/audit.jsonl"), std::ios::app) << "x";
  ExpectRefusedForGood(*three, "is longer than what was written");
}

TEST(Log, NoticesThatItsFilesWereMovedAway) {
  for (const char* name : {"audit.jsonl", "audit.jsonl.head"}) {
    const Tree tree;
    const auto log = MustOpen(PlaceIn(tree));
    fs::rename(tree.At("state/") + name, tree.At("elsewhere"));
    // Seen with the next flush.
    ASSERT_TRUE(log->Append(ReadOf("x"), Durability::kOnDisk));
    ExpectRefusedForGood(*log, "was taken away");
  }
}

TEST(Log, RefusesAHeadThatWasTamperedWith) {
  const Tree tree;
  const auto log = MustOpen(PlaceIn(tree));
  ASSERT_TRUE(log->Append(ReadOf("x"), Durability::kOnDisk));
  LetItLookAgain();
  std::fstream head(tree.At("state/audit.jsonl.head"),
                    std::ios::in | std::ios::out | std::ios::binary);
  head.seekp(256 + 40);
  head << "tampered";
  head.flush();
  ExpectRefusedForGood(*log, "head");
}

TEST(Log, RefusesARecordThatIsTooLong) {
  const Tree tree;
  const auto log = MustOpen(PlaceIn(tree));
  const std::string name(400u << 10, '\x01');
  EXPECT_THAT(log->Append(ReadOf(name), Durability::kWithKernel).error().detail,
              ::testing::HasSubstr("longer than 1 MiB"));
  const std::string longest(64u << 10, '\x01');
  Record record = ReadOf(longest);
  record.resolved = record.target = longest;
  EXPECT_TRUE(log->Append(record, Durability::kWithKernel));
  EXPECT_EQ(MustVerify(PlaceIn(tree)).records, 2u);
}

TEST(Log, FlushesBeforeItGoes) {
  const Tree tree;
  LogOptions options;
  options.flush_after = std::chrono::hours(1);
  {
    const auto log = MustOpen(PlaceIn(tree), options);
    ASSERT_TRUE(log->Append(ReadOf("a"), Durability::kWithKernel));
    ASSERT_TRUE(log->Flush());
    ASSERT_TRUE(log->Append(ReadOf("a"), Durability::kWithKernel));
  }
  // The durable end of the head has the same number as the current one: both halves of
  // both are at fixed places (docs/audit-format.md).
  const std::string head = Slurp(tree.At("state/audit.jsonl.head"));
  const auto seq = [&](std::size_t index_at, std::size_t slots_at) {
    return static_cast<int>(head[slots_at + 256 * static_cast<std::size_t>(head[index_at]) + 88]);
  };
  EXPECT_EQ(seq(8, 256), 3);
  EXPECT_EQ(seq(12, 768), 3);
}

}  // namespace
}  // namespace cordon::audit
