// Records in the stage are as good as records in the file: for who reads, for who
// verifies, and for the writer that comes after one that was killed.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/audit/stage_fixture.h"

namespace cordon::audit {
namespace {

using ::testing::HasSubstr;
using testing::Tree;

using Stage = StagedLog;

TEST_F(Stage, IsSeenByThoseWhoOnlyLook) { ExpectSeen(0); }

TEST_F(Stage, IsBroughtIntoTheFileByTheNextWriter) { ExpectTakenOver(); }

TEST_F(Stage, LastLinesAreTheStagedOnes) {
  Reader reader = Reader::Open(place_.log_file, Authority()).value();
  ASSERT_TRUE(reader.SkipToLast(kStaged + 1));
  const auto lines = LinesOf(file_ + staged_);
  EXPECT_EQ(ReadAll(reader),
            std::vector(lines.end() - static_cast<std::ptrdiff_t>(kStaged + 1), lines.end()));
}

// The steps of bringing it into the file: the word, the bytes one by one, the two slots,
// and the word again.
TEST_F(Stage, AKillAtAnyByteOnTheWayToTheFile) {
  for (std::size_t written = 0; written <= staged_.size(); ++written) {
    SCOPED_TRACE(written);
    Put(file_ + staged_.substr(0, written), WithWord(head_, UnderWay::kAppend));
    ExpectSeen(1);
    ExpectTakenOver();
    if (HasFailure()) return;
  }
}

TEST_F(Stage, AKillWhileTheHeadIsToldThatTheFileHasIt) {
  HmacSha256 mac = HeadMac(place_);
  HeadState told = HeadOf(place_).current;
  told.written = told.offset;
  const HeadSlot slot = EncodeSlot(told, Which::kCurrent, mac);
  for (std::uint32_t first = 0; first < kSlots; ++first) {
    std::string head = WithWord(head_, UnderWay::kAppend);
    for (std::size_t i = 0; i < kSlots * slot.size(); ++i) {
      SCOPED_TRACE(std::to_string(first) + ", byte " + std::to_string(i));
      const std::uint32_t which = i < slot.size() ? first : 1 - first;
      head[SlotAt(Which::kCurrent, which) + i % slot.size()] = slot[i % slot.size()];
      Put(file_ + staged_, head);
      ExpectSeen(1);
      if (HasFailure()) return;
    }
    ExpectTakenOver();
  }
}

// Bytes in the stage count once the head tells of them, and not before.
TEST_F(Stage, AKillWhileSomethingIsStaged) {
  HmacSha256 mac = HeadMac(place_);
  const HeadState all = HeadOf(place_).current;
  const auto lines = LinesOf(staged_);
  HeadState before = all;
  before.seq -= 1;
  before.offset -= lines.back().size();
  const std::string& last = lines[kStaged - 2];
  before.hash = FromHex(last.substr(last.size() - 67, 64)).value();
  const HeadSlot old = EncodeSlot(before, Which::kCurrent, mac);
  const HeadSlot now = EncodeSlot(all, Which::kCurrent, mac);
  std::string head = WithWord(head_, UnderWay::kAppend);
  for (std::uint32_t i = 0; i < kSlots; ++i) {
    head.replace(SlotAt(Which::kCurrent, i), old.size(), old.data(), old.size());
  }
  for (std::size_t i = 0; i < now.size(); ++i) {
    SCOPED_TRACE(i);
    Put(file_, head);
    EXPECT_EQ(MustVerify(place_).records, kRecords - 1);
    // Without the key, a slot that lacks only its signature may count already.
    EXPECT_THAT(ReadAll(place_).size(), ::testing::AnyOf(kRecords - 1, kRecords));
    head[SlotAt(Which::kCurrent, 1) + i] = now[i];
    if (HasFailure()) return;
  }
  Put(file_, head);
  ExpectSeen(1);
  ExpectTakenOver();
}

TEST_F(Stage, SurvivesALossOfPowerThatSparedIt) {
  // Some of it may be in the file already.
  for (const std::size_t written : {std::size_t{0}, std::size_t{100}, staged_.size()}) {
    SCOPED_TRACE(written);
    Put(file_ + staged_.substr(0, written), head_);
    LosePower();
    ExpectSeen(0);
    ExpectTakenOver();
  }
}

// The head may be newer than the stage: what stands there then was drained long ago.
TEST_F(Stage, WhatALossOfPowerLeftOfItIsNoDamage) {
  const auto lines = LinesOf(staged_);
  const std::string stale = LinesOf(file_)[1];
  for (const std::string& left :
       {std::string(staged_.size(), '\0'), lines[0] + lines[1] + stale + std::string(100, 'x'),
        lines[0] + lines[1] + "garbage\n" + lines[2]}) {
    Put(file_, WithStaged(left.substr(0, staged_.size())));
    LosePower();
    const std::uint64_t kept = left.front() == '\0' ? kInFile : kInFile + 2;
    const std::uint64_t lost = kRecords - kept;
    Verification verified = MustVerify(place_);
    EXPECT_EQ(verified.records, kept);
    ASSERT_FALSE(verified.notes.empty());
    EXPECT_THAT(verified.notes.back(), HasSubstr(std::to_string(lost) + " records"));
    MustOpen(place_);
    verified = MustVerify(place_);
    EXPECT_EQ(verified.records, kept + 1);
    EXPECT_TRUE(verified.notes.empty());
    EXPECT_THAT(LinesOf(Slurp(place_.log_file)).back(),
                HasSubstr(R"("event":"log.gap","lost":)" + std::to_string(lost)));
  }
}

// A file that holds everything, staged or not.
class WhenInFile : public ::testing::Test {
 protected:
  std::size_t LinesInFile() const { return LinesOf(Slurp(place_.log_file)).size(); }
  Tree tree_;
  LogPlace place_ = PlaceIn(tree_);
};

TEST_F(WhenInFile, AfterAFlushAndAClose) {
  {
    const auto log = MustOpen(place_, NeverFlushed());
    ASSERT_TRUE(log->Append(ReadOf("a"), Durability::kWithKernel));
    ASSERT_TRUE(log->Flush());
    EXPECT_EQ(LinesInFile(), 2u);
    ASSERT_TRUE(log->Append(ReadOf("b"), Durability::kOnDisk));
    EXPECT_EQ(LinesInFile(), 3u);
    ASSERT_TRUE(log->Append(ReadOf("c"), Durability::kWithKernel));
  }
  EXPECT_EQ(LinesInFile(), 4u);
  EXPECT_EQ(HeadOf(place_).current.staged(), 0u);
}

TEST_F(WhenInFile, SoonByItself) {
  const auto log = MustOpen(place_);  // flushes after 2 ms
  for (std::size_t i = 2; i < 6; ++i) {
    ASSERT_TRUE(log->Append(ReadOf("a"), Durability::kWithKernel));
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (LinesInFile() < i && std::chrono::steady_clock::now() < until) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ASSERT_EQ(LinesInFile(), i);
  }
}

TEST_F(WhenInFile, BeforeItIsLeft) {
  LogOptions options = NeverFlushed();
  options.rotate_at = 3000;
  const auto log = MustOpen(place_, options);
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(log->Append(ReadOf("a"), Durability::kWithKernel));
    ASSERT_EQ(ReadAll(place_).size(), MustVerify(place_).records);
  }
  EXPECT_TRUE(std::filesystem::exists(place_.log_file + ".000003"));
}

TEST_F(WhenInFile, RecordsThatFitNoStageKeepTheirPlace) {
  const auto log = MustOpen(place_, NeverFlushed());
  const std::string wide(60'000, 'w'), widest(64u << 10, '\x01');
  for (const std::string& path :
       {std::string("a"), wide, std::string("b"), widest, widest, wide, std::string("c")}) {
    ASSERT_TRUE(log->Append(ReadOf(path), Durability::kWithKernel));
    MustVerify(place_);
  }
  EXPECT_EQ(MustVerify(place_).records, 8u);
  EXPECT_EQ(ReadAll(place_).size(), 8u);
}

// Each line once, though it is first in one place and then in the other.
TEST_F(WhenInFile, WhoFollowsIsToldOfEachLineOnce) {
  LogOptions options = NeverFlushed();
  options.rotate_at = 20'000;
  const auto log = MustOpen(place_, options);
  Reader reader = Reader::Open(place_.log_file, Authority()).value();
  std::vector<std::string> followed;
  const auto follow = [&] {
    for (const std::string& line : ReadAll(reader)) followed.push_back(line);
  };
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(log->Append(ReadOf("a"), Durability::kWithKernel));
    if (i % 3 != 0) follow();
    if (i % 7 == 0) {
      ASSERT_TRUE(log->Flush());
    }
    if (i % 5 == 0) follow();
  }
  follow();
  EXPECT_EQ(followed.size(), MustVerify(place_).records);
  EXPECT_EQ(followed, ReadAll(place_));
}

TEST_F(WhenInFile, TwoWritersShareOneStage) {
  const auto one = MustOpen(place_, NeverFlushed()), two = MustOpen(place_, NeverFlushed());
  for (std::uint64_t i = 0; i < 400; ++i) {
    ASSERT_EQ((i % 3 == 0 ? one : two)->Append(ReadOf("a"), Durability::kWithKernel).value(),
              i + 2);
  }
  EXPECT_EQ(MustVerify(place_).records, 401u);
  ASSERT_TRUE(one->Flush());
  EXPECT_EQ(LinesInFile(), 401u);
}

}  // namespace
}  // namespace cordon::audit
