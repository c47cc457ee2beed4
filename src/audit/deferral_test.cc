#include "audit/deferral.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "audit/best_effort.h"
#include "tests/audit/log_fixture.h"

namespace cordon::audit {
namespace {

using testing::Tree;
using Receipts = std::vector<std::unique_ptr<Receipt>>;

Receipts Defer(Log& log, const std::vector<std::string>& paths) {
  Deferral deferral;
  for (const std::string& path : paths) {
    EXPECT_EQ(log.Append(ReadOf(path), Durability::kWithKernel).value(), 0u);
  }
  return deferral.Take();
}

// What was asked for, in the order of the log; with what is still staged.
std::vector<std::string> AskedIn(const Tree& tree, Log& log) {
  EXPECT_TRUE(log.Flush());
  std::vector<std::string> asked;
  constexpr std::string_view kField = "\"asked\":\"";
  for (const std::string& line : LinesOf(Slurp(tree.At("state/audit.jsonl")))) {
    const std::size_t at = line.find(kField);
    if (at == std::string::npos) continue;
    const std::size_t from = at + kField.size();
    asked.push_back(line.substr(from, line.find('"', from) - from));
  }
  return asked;
}

TEST(Deferral, WritesNothingUntilItIsAwaitedThenEverythingInOrder) {
  const Tree tree;
  const auto log = MustOpen(PlaceIn(tree));
  const Receipts receipts = Defer(*log, {"a", "b", "c"});
  ASSERT_EQ(receipts.size(), 3u);
  EXPECT_TRUE(AskedIn(tree, *log).empty());
  EXPECT_TRUE(receipts[1]->Await());
  EXPECT_EQ(AskedIn(tree, *log), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_TRUE(receipts[0]->Await());
  EXPECT_TRUE(receipts[2]->Await());
  EXPECT_TRUE(receipts[2]->Await());
  EXPECT_EQ(MustVerify(PlaceIn(tree)).records, 4u);
}

TEST(Deferral, WhatIsAppendedComesBehindWhatWasQueued) {
  const Tree tree;
  const auto log = MustOpen(PlaceIn(tree));
  const Receipts receipts = Defer(*log, {"a", "b"});
  EXPECT_EQ(log->Append(ReadOf("now"), Durability::kOnDisk).value(), 4u);
  EXPECT_EQ(AskedIn(tree, *log), (std::vector<std::string>{"a", "b", "now"}));
  for (const auto& receipt : receipts) EXPECT_TRUE(receipt->Await());
  EXPECT_EQ(MustVerify(PlaceIn(tree)).records, 4u);
}

TEST(Deferral, LosesNothingThatNobodyAwaits) {
  const Tree tree;
  const auto log = MustOpen(PlaceIn(tree));
  Defer(*log, {"a", "b"});
  EXPECT_EQ(AskedIn(tree, *log), (std::vector<std::string>{"a", "b"}));
}

TEST(Deferral, IsForReadsThatWereAllowedAndForItsThreadAlone) {
  const Tree tree;
  const auto log = MustOpen(PlaceIn(tree));
  Deferral deferral;
  Record denied = ReadOf("denied");
  denied.decision = Decision::kDenied;
  Record failed = ReadOf("failed");
  failed.error = ErrorCode::kNotFound;
  Record written = ReadOf("written");
  written.event = Event::kFileWrite;
  Record begun = ReadOf("begun");
  begun.phase = Phase::kBegin;
  for (const Record& record : {denied, failed, written, begun}) {
    EXPECT_GT(log->Append(record, Durability::kWithKernel).value(), 0u) << record.asked;
  }
  EXPECT_GT(log->Append(ReadOf("on disk"), Durability::kOnDisk).value(), 0u);
  std::thread([&] {
    EXPECT_GT(log->Append(ReadOf("other"), Durability::kWithKernel).value(), 0u);
  }).join();
  EXPECT_TRUE(deferral.Take().empty());
}

TEST(Deferral, DoesNotKeepFromBestEffortWhatFails) {
  const Tree tree;
  const auto log = MustOpen(PlaceIn(tree));
  int warnings = 0;
  BestEffort best(log, [&](const std::string&) { ++warnings; });
  Deferral deferral;
  EXPECT_EQ(best.Append(ReadOf("a"), Durability::kWithKernel).value(), 2u);
  std::filesystem::remove(tree.At("state/audit.jsonl"));
  std::this_thread::sleep_for(std::chrono::milliseconds(1));  // until it is looked for again
  EXPECT_EQ(best.Append(ReadOf("b"), Durability::kWithKernel).value(), 0u);
  EXPECT_EQ(warnings, 1);
  EXPECT_EQ(log->Append(ReadOf("c"), Durability::kWithKernel).value(), 0u) << "deferred again";
  const Receipts receipts = deferral.Take();
  ASSERT_EQ(receipts.size(), 1u);
  EXPECT_FALSE(receipts.front()->Await());
}

TEST(Deferral, RefusesARecordThatIsTooLongAtOnce) {
  const Tree tree;
  const auto log = MustOpen(PlaceIn(tree));
  const Deferral deferral;
  const std::string name(2u << 20, 'n');
  EXPECT_EQ(log->Append(ReadOf(name), Durability::kWithKernel).error().rule, "audit");
}

TEST(Deferral, TellsEveryoneOfABatchThatTheLogIsDamaged) {
  const Tree tree;
  const auto log = MustOpen(PlaceIn(tree));
  ASSERT_TRUE(log->Append(ReadOf("before"), Durability::kOnDisk));
  const Receipts receipts = Defer(*log, {"a", "b", "c"});
  std::filesystem::remove(tree.At("state/audit.jsonl"));
  std::this_thread::sleep_for(std::chrono::milliseconds(1));  // until it is looked for again
  for (const auto& receipt : receipts) {
    const Status told = receipt->Await();
    ASSERT_FALSE(told);
    EXPECT_EQ(told.error().code, ErrorCode::kIoError);
    EXPECT_EQ(told.error().rule, "audit");
    EXPECT_FALSE(receipt->Await()) << "it stays what it was";
  }
}

// Some defer and let others await, some append; no record is lost, doubled or out of order.
TEST(Deferral, MixesWithManyThreadsAndLogs) {
  const Tree tree;
  LogOptions options;
  options.rotate_at = 100'000;
  constexpr std::size_t kThreads = 4, kRounds = 100, kEach = 5;
  const std::vector<std::shared_ptr<Log>> logs = {MustOpen(PlaceIn(tree), options),
                                                  MustOpen(PlaceIn(tree), options)};
  std::atomic<int> failures = 0;
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      Log& log = *logs[t % logs.size()];
      for (std::size_t round = 0; round < kRounds; ++round) {
        Receipts receipts = Defer(log, std::vector<std::string>(kEach, "a"));
        if (round % 3 == 0 && !log.Append(ReadOf("b"), Durability::kWithKernel)) ++failures;
        std::thread elsewhere;
        if (round % 10 == 0) {
          elsewhere = std::thread([last = std::move(receipts.back()), &failures] {
            if (!last->Await()) ++failures;
          });
          receipts.pop_back();
        }
        for (const auto& receipt : receipts) {
          if (!receipt->Await()) ++failures;
        }
        if (elsewhere.joinable()) elsewhere.join();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
  const Verification verified = MustVerify(PlaceIn(tree));
  const std::size_t appended = kThreads * (kRounds * kEach + (kRounds + 2) / 3);
  const std::size_t files = 2 + appended;  // the first record, and those of later files
  EXPECT_GE(verified.records, appended + 1);
  EXPECT_LT(verified.records, files + 20);
}

}  // namespace
}  // namespace cordon::audit
