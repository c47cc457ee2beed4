#include "audit/head.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

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
    state.offset = state.written = 100 * seq;
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

TEST_P(HeadAccess, BothSeeWhatEitherStages) {
  Head one = Open(GetParam().first), two = Open(GetParam().second);
  for (Head* const writer : {&one, &two}) {
    ASSERT_TRUE(one.Refresh());
    ASSERT_TRUE(two.Refresh());
    HeadState state = writer->image().current;
    const bool mapped = (writer == &one ? GetParam().first : GetParam().second) == Access::kMapped;
    EXPECT_EQ(writer->HasRoomFor(1), mapped);
    EXPECT_FALSE(writer->HasRoomFor(kStageSize + 1));
    if (!mapped) continue;
    const std::string before(one.Staged().value());
    ASSERT_TRUE(writer->Begin(UnderWay::kAppend));
    ASSERT_TRUE(writer->Stage("some bytes"));
    EXPECT_EQ(two.Staged().value(), before) << "the head does not tell of them yet";
    state.offset += 10;
    ++state.seq;
    ASSERT_TRUE(writer->Set(Which::kCurrent, state));
    ASSERT_TRUE(writer->Finish());
    for (Head* const reader : {&one, &two}) {
      ASSERT_TRUE(reader->Refresh());
      EXPECT_EQ(reader->Staged().value(), before + "some bytes");
    }
    EXPECT_EQ(writer->HasRoomFor(kStageSize - state.staged()), true);
    EXPECT_FALSE(writer->HasRoomFor(kStageSize - state.staged() + 1));
  }
}

TEST_P(HeadAccess, AWrongByteIsNoticed) {
  Head one = Open(GetParam().first);
  ASSERT_TRUE(one.Refresh());
  ASSERT_TRUE(one.Finish());
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
    return DecodeHead(std::string_view(page_).substr(0, kHeadPage), boot_, mac);
  }
  void PutSlot(Which which, std::uint32_t slot, const HeadState& state) {
    HmacSha256 mac = HeadMac(place_);
    const HeadSlot bytes = EncodeSlot(state, which, mac);
    page_.replace(SlotAt(which, slot), bytes.size(), bytes.data(), bytes.size());
  }
  std::string page_;
};

TEST_P(HeadBytes, AtRestBothHalvesAreThereAndTheSame) {
  ASSERT_TRUE(Decode());
  const std::string whole = page_;
  for (const Which which : {Which::kCurrent, Which::kDurable}) {
    for (std::uint32_t i = 0; i < kSlots; ++i) {
      PutSlot(which, i, State(0));  // as signed as the other, but older
      EXPECT_FALSE(Decode().has_value());
      page_.replace(SlotAt(which, i), sizeof(HeadSlot), sizeof(HeadSlot), '\0');
      EXPECT_FALSE(Decode().has_value());
      page_ = whole;
      page_[SlotAt(which, i) + 5] ^= 1;
      EXPECT_FALSE(Decode().has_value());
      // Only with a writer at work may one be torn: the other has an end.
      page_[kUnderWayAt] = static_cast<char>(UnderWay::kAppend);
      EXPECT_EQ(Decode()->current, State(2));
      EXPECT_EQ(Decode()->durable, State(1));
      page_[SlotAt(which, 1 - i) + 5] ^= 1;
      EXPECT_FALSE(Decode().has_value());
      page_ = whole;
    }
  }
}

// The bytes of both slots are written one after the other, from either to the other.
TEST_P(HeadBytes, AKillAtAnyByteLeavesTheEndBeforeOrTheNewOne) {
  HmacSha256 mac = HeadMac(place_);
  const HeadSlot bytes = EncodeSlot(State(3), Which::kCurrent, mac);
  const std::string whole = page_;
  for (std::uint32_t first = 0; first < kSlots; ++first) {
    page_ = whole;
    for (std::size_t written = 0; written < kSlots * bytes.size(); ++written) {
      const std::size_t at = written % bytes.size();
      const std::uint32_t slot = written < bytes.size() ? first : 1 - first;
      page_[SlotAt(Which::kCurrent, slot) + at] = bytes[at];
      const bool one_is_whole = written + 1 >= bytes.size();
      for (const UnderWay what : {UnderWay::kAppend, UnderWay::kRotation, UnderWay::kFlush}) {
        page_[kUnderWayAt] = static_cast<char>(what);
        const auto decoded = Decode();
        ASSERT_TRUE(decoded) << written;
        ASSERT_EQ(decoded->current, State(one_is_whole ? 3 : 2)) << written;
      }
    }
    page_[kUnderWayAt] = 0;
    EXPECT_EQ(Decode()->current, State(3));
  }
}

// Writes beyond `limit` fail, as on a full disk.
class NoWritesBeyond {
 public:
  explicit NoWritesBeyond(rlim_t limit) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    EXPECT_EQ(::getrlimit(RLIMIT_FSIZE, &before_), 0);
    const rlimit small{limit, before_.rlim_max};
    EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  }
  NoWritesBeyond(const NoWritesBeyond&) = delete;
  NoWritesBeyond& operator=(const NoWritesBeyond&) = delete;
  ~NoWritesBeyond() {
    EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &before_), 0);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST_P(HeadBytes, WhatFailsHalfwayIsTakenBack) {
  // Nothing of the second slot, or the half of it.
  for (const rlim_t limit : {SlotAt(Which::kCurrent, 1), SlotAt(Which::kCurrent, 1) + 70}) {
    Head head = Open(Access::kByCalls);
    for (int failed = 0; failed < 2; ++failed) {  // as the first to be written, and the last
      ASSERT_TRUE(head.Refresh());
      const HeadState before = head.image().current;
      ASSERT_TRUE(head.Begin(UnderWay::kAppend));
      {
        const NoWritesBeyond full(limit);
        EXPECT_FALSE(head.Set(Which::kCurrent, State(before.seq + 1)).has_value());
      }
      const HeadState left = HeadOf(place_).current;
      EXPECT_TRUE(left == before || left == State(before.seq + 1));
      ASSERT_TRUE(head.Set(Which::kCurrent, before));
      ASSERT_TRUE(head.Finish());
      EXPECT_EQ(HeadOf(place_).current, before);
    }
  }
}

// Signed or not: a store beyond the stage must not follow from any head.
TEST_P(HeadBytes, NoEndTellsOfMoreThanTheStageHolds) {
  const HeadState whole = State(2);
  HeadState state = whole;
  state.offset = state.written + kStageSize;
  for (std::uint32_t i = 0; i < kSlots; ++i) PutSlot(Which::kCurrent, i, state);
  EXPECT_EQ(Decode()->current, state);
  for (const std::uint64_t written : {state.written - 1, state.offset + 1}) {
    state.written = written;
    for (std::uint32_t i = 0; i < kSlots; ++i) PutSlot(Which::kCurrent, i, state);
    EXPECT_FALSE(Decode().has_value());
    EXPECT_FALSE(DecodeSlotUnchecked(page_, Which::kCurrent, 0).has_value());
  }
  for (std::uint32_t i = 0; i < kSlots; ++i) PutSlot(Which::kCurrent, i, whole);
  ASSERT_TRUE(Decode());
  state = State(1);
  --state.written;  // what is on the disk is in the file
  for (std::uint32_t i = 0; i < kSlots; ++i) PutSlot(Which::kDurable, i, state);
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
