#include "audit/head.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/audit/head_edit.h"

namespace cordon::audit {
namespace {

using Access = Head::Access;
using testing::Tree;

// Two processes, so to speak, each with its own way to the page.
class HeadAccess : public ::testing::TestWithParam<std::pair<Access, Access>> {
 protected:
  Head Open(Access access) { return Head::OpenOrMakeForTest(files_, key_, boot_, access).value(); }
  HeadState State(std::uint64_t seq) const {
    HeadState state = first_;
    state.seq = seq;
    state.offset = 100 * seq;
    state.hash.fill(static_cast<std::uint8_t>(seq));
    return state;
  }

  Tree tree_;
  LogPlace place_ = {tree_.At("log"), tree_.At("key")};
  LogFiles files_{
      OpenPlace(place_.log_file, platform::MissingDirectory::kRefuse, Authority()).value()};
  Key key_ =
      Key::ReadOrMake(
          OpenPlace(place_.key_file, platform::MissingDirectory::kRefuse, Authority()).value())
          .value();
  platform::BootId boot_ = platform::CurrentBootId().value();
  HeadState first_;
};

TEST_P(HeadAccess, BothSeeWhatEitherWrites) {
  Head one = Open(GetParam().first), two = Open(GetParam().second);
  ASSERT_TRUE(one.Refresh());
  ASSERT_TRUE(two.Refresh());
  EXPECT_EQ(one.image().under_way, UnderWay::kCreation);
  EXPECT_EQ(one.image().current, two.image().current);
  EXPECT_EQ(one.image().current.hash, one.image().current.log_id);
  first_ = one.image().current;
  for (std::uint64_t seq = 1; seq < 8; ++seq) {
    Head& writer = seq % 3 == 0 ? two : one;
    Head& reader = seq % 3 == 0 ? one : two;
    ASSERT_TRUE(writer.Refresh());
    ASSERT_TRUE(writer.Begin(UnderWay::kAppend));
    ASSERT_TRUE(reader.Refresh());
    EXPECT_EQ(reader.image().under_way, UnderWay::kAppend);
    ASSERT_TRUE(writer.Set(Which::kCurrent, State(seq)));
    if (seq % 2 == 0) {
      ASSERT_TRUE(writer.Set(Which::kDurable, State(seq)));
    }
    ASSERT_TRUE(writer.Finish());
    ASSERT_TRUE(reader.Refresh());
    EXPECT_EQ(reader.image().under_way, UnderWay::kNothing);
    EXPECT_EQ(reader.image().current, State(seq));
    EXPECT_EQ(reader.image().durable, seq < 2 ? first_ : State(seq / 2 * 2));
    EXPECT_EQ(HeadOf(place_).current, State(seq)) << "it is not in the file";
  }
}

TEST_P(HeadAccess, AWrongByteIsNoticed) {
  Head one = Open(GetParam().first);
  ASSERT_TRUE(one.Refresh());
  std::string page = Slurp(HeadPath(place_));
  page[SlotAt(Which::kCurrent, 0) + 90] ^= 1;
  Spill(HeadPath(place_), page);
  const Status refreshed = one.Refresh();
  ASSERT_FALSE(refreshed.has_value());
  EXPECT_THAT(refreshed.error().detail, ::testing::HasSubstr("signature"));
}

INSTANTIATE_TEST_SUITE_P(Ways, HeadAccess,
                         ::testing::Values(std::pair(Access::kMapped, Access::kMapped),
                                           std::pair(Access::kMapped, Access::kByCalls),
                                           std::pair(Access::kByCalls, Access::kByCalls)));

// A head that was written with two records, the second not flushed yet.
class HeadBytes : public HeadAccess {
 protected:
  void SetUp() override {
    Head head = Open(Access::kMapped);
    ASSERT_TRUE(head.Refresh());
    first_ = head.image().current;
    ASSERT_TRUE(head.Set(Which::kCurrent, State(1)));
    ASSERT_TRUE(head.Set(Which::kDurable, State(1)));
    ASSERT_TRUE(head.Set(Which::kCurrent, State(2)));
    ASSERT_TRUE(head.Finish());
    page_ = Slurp(HeadPath(place_));
  }
  Result<HeadImage> Decode() {
    HmacSha256 mac = HeadMac(place_);
    return DecodeHead(page_, boot_, mac);
  }
  std::string page_;
};

TEST_P(HeadBytes, AHalfThatIsNotInUseMayBeTornOnlyWhileAWriterIsAtWork) {
  const std::uint32_t unused = 1 - Decode()->current_slot;
  page_[SlotAt(Which::kCurrent, unused) + 5] ^= 1;
  EXPECT_FALSE(Decode().has_value());
  page_[kUnderWayAt] = static_cast<char>(UnderWay::kAppend);
  EXPECT_EQ(Decode()->current, State(2));
}

TEST_P(HeadBytes, TheHalfInUseMayNeverBe) {
  page_[kUnderWayAt] = static_cast<char>(UnderWay::kAppend);
  page_[SlotAt(Which::kCurrent, Decode()->current_slot) + 5] ^= 1;
  EXPECT_FALSE(Decode().has_value());
}

TEST_P(HeadBytes, OneEndDoesNotPassForTheOther) {
  const HeadImage image = Decode().value();
  page_.replace(SlotAt(Which::kCurrent, image.current_slot), sizeof(HeadSlot), page_,
                SlotAt(Which::kDurable, image.durable_slot), sizeof(HeadSlot));
  EXPECT_FALSE(Decode().has_value());
}

INSTANTIATE_TEST_SUITE_P(Any, HeadBytes,
                         ::testing::Values(std::pair(Access::kMapped, Access::kMapped)));

}  // namespace
}  // namespace cordon::audit
