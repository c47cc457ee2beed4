// After a loss of power the disk holds the log of one moment and the head of another.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/audit/head_edit.h"

namespace cordon::audit {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing::Tree;

class Power : public ::testing::Test {
 protected:
  void Append(int count) {
    LogOptions options;
    options.rotate_at = rotate_at_;
    const auto log = MustOpen(place_, options);
    ASSERT_TRUE(log);
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(log->Append(ReadOf("file" + std::to_string(i)), Durability::kWithKernel));
    }
  }
  // The head says that `flushed` records are safe, and was written before a restart.
  void LosePower(std::uint64_t flushed) {
    EditHead(place_, [&](HeadImage& image) {
      image.current.boot = image.durable.boot = OtherBoot();
      const auto lines = LinesOf(Slurp(place_.log_file));
      image.durable = image.current;
      image.durable.seq = flushed;
      image.durable.offset = 0;
      for (std::uint64_t i = 0; i < flushed; ++i) image.durable.offset += lines[i].size();
      image.durable.written = image.durable.offset;
      const std::string& last = lines[flushed - 1];
      image.durable.hash = FromHex(last.substr(last.size() - 67, 64)).value();
    });
  }
  std::string Lines(std::size_t count) {
    std::string bytes;
    const auto lines = LinesOf(Slurp(place_.log_file));
    for (std::size_t i = 0; i < count; ++i) bytes += lines[i];
    return bytes;
  }
  Tree tree_;
  LogPlace place_ = PlaceIn(tree_);
  std::uint64_t rotate_at_ = 1u << 20;
};

TEST_F(Power, NothingNeedBeLost) {
  Append(9);
  LosePower(5);
  Verification verified = MustVerify(place_);
  EXPECT_EQ(verified.records, 10u);
  EXPECT_TRUE(verified.notes.empty());
  Append(1);
  verified = MustVerify(place_);
  EXPECT_EQ(verified.records, 11u) << "nothing was lost, so nothing is said of it";
  EXPECT_EQ(HeadOf(place_).current.boot, platform::CurrentBootId().value());
}

TEST_F(Power, WhatWasNotFlushedMayBeLost) {
  for (const std::string& rest : {std::string(), std::string(500, '\0'), std::string("half a li"),
                                  std::string("garbage\nmore\n")}) {
    fs::remove_all(tree_.At("state"));
    Append(9);
    LosePower(5);
    Spill(place_.log_file, Lines(7) + rest);
    Verification verified = MustVerify(place_);
    EXPECT_EQ(verified.records, 7u);
    ASSERT_FALSE(verified.notes.empty());
    EXPECT_THAT(verified.notes.back(), HasSubstr("3 records"));
    Append(0);
    verified = MustVerify(place_);
    EXPECT_EQ(verified.records, 8u);
    EXPECT_TRUE(verified.notes.empty());
    EXPECT_THAT(LinesOf(Slurp(place_.log_file)).back(), HasSubstr(R"("event":"log.gap","lost":3)"));
  }
}

TEST_F(Power, WhatWasFlushedMustBeThere) {
  Append(9);
  LosePower(5);
  Spill(place_.log_file, Lines(4));
  const auto verified = Verify(place_, {}, Authority());
  ASSERT_TRUE(verified->damage);
  EXPECT_EQ(verified->damage->damage, Damage::kTruncated);
  EXPECT_EQ(verified->damage->seq, 5u);
  EXPECT_FALSE(Log::Open(place_, {}, Authority()).has_value());
}

TEST_F(Power, WhatWasFlushedMustBeUnchanged) {
  Append(9);
  LosePower(5);
  std::string bytes = Slurp(place_.log_file);
  bytes[bytes.find("file1") + 4] = '7';
  Spill(place_.log_file, bytes);
  EXPECT_EQ(Verify(place_, {}, Authority())->damage->damage, Damage::kChanged);
}

TEST_F(Power, TheHeadMayBeOlderThanTheLog) {
  Append(4);
  LosePower(3);
  const std::string old = Slurp(HeadPath(place_));
  Append(5);
  Spill(HeadPath(place_), old);
  EXPECT_EQ(MustVerify(place_).records, 10u);
  Append(1);
  EXPECT_EQ(MustVerify(place_).records, 11u);
}

TEST_F(Power, TheHeadMayBeOlderThanRotations) {
  Append(4);
  LosePower(3);
  const std::string old = Slurp(HeadPath(place_));
  rotate_at_ = 1500;
  Append(20);
  ASSERT_TRUE(fs::exists(place_.log_file + ".000003"));
  const std::uint64_t records = MustVerify(place_).records;
  Spill(HeadPath(place_), old);
  EXPECT_EQ(MustVerify(place_).records, records);
  rotate_at_ = 1u << 20;
  Append(1);
  EXPECT_EQ(MustVerify(place_).records, records + 1);
}

TEST_F(Power, AHeadInHalvesIsTakenFromTheWholeOne) {
  Append(9);
  LosePower(5);
  std::string head = Slurp(HeadPath(place_));
  // The half that the index tells is torn; the other has what was written before it.
  const HeadImage image = HeadOf(place_);
  HmacSha256 mac = HeadMac(place_);
  HeadState earlier = image.durable;
  const HeadSlot slot = EncodeSlot(earlier, Which::kCurrent, mac);
  head.replace(SlotAt(Which::kCurrent, 1), slot.size(), slot.data(), slot.size());
  head[SlotAt(Which::kCurrent, 0) + 90] ^= 1;
  Spill(HeadPath(place_), head);
  EXPECT_EQ(MustVerify(place_).records, 10u);
  Append(1);
  EXPECT_EQ(MustVerify(place_).records, 11u);
}

TEST_F(Power, BringsNoRecordsOfOtherLogs) {
  Append(9);
  const Tree other;
  const LogPlace theirs{other.At("audit.jsonl"), place_.key_file};
  {
    const auto log = MustOpen(theirs);
    for (int i = 0; i < 9; ++i) {
      ASSERT_TRUE(log->Append(ReadOf("theirs"), Durability::kWithKernel));
    }
  }
  LosePower(5);
  Spill(place_.log_file, Lines(6) + LinesOf(Slurp(theirs.log_file))[6]);
  EXPECT_EQ(Verify(place_, {}, Authority())->damage->damage, Damage::kAdded);
  EXPECT_FALSE(Log::Open(place_, {}, Authority()).has_value());
}

}  // namespace
}  // namespace cordon::audit
