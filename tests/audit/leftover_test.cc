// What a writer that was killed leaves: the next one puts it right, and verify does not
// take it for tampering.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/audit/head_edit.h"

namespace cordon::audit {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing::Tree;

void Append(const LogPlace& place, int count, const LogOptions& options = {}) {
  const auto log = MustOpen(place, options);
  ASSERT_TRUE(log);
  for (int i = 0; i < count; ++i) {
    ASSERT_TRUE(log->Append(ReadOf("file" + std::to_string(i)), Durability::kWithKernel));
  }
}

// A log whose last `ahead` records the head does not know of.
class Leftover : public ::testing::Test {
 protected:
  void Make(int known, int ahead, UnderWay under_way, const LogOptions& options = {}) {
    Append(place_, known, options);
    const HeadImage before = HeadOf(place_);
    Append(place_, ahead, options);
    EditHead(place_, [&](HeadImage& image) {
      image = before;
      image.under_way = under_way;
    });
  }
  Tree tree_;
  LogPlace place_ = PlaceIn(tree_);
};

TEST_F(Leftover, WholeRecordsAreKept) {
  Make(3, 2, UnderWay::kAppend);
  Verification verified = MustVerify(place_);
  EXPECT_EQ(verified.records, 6u);
  EXPECT_EQ(verified.notes.size(), 1u);
  Append(place_, 1);
  verified = MustVerify(place_);
  EXPECT_EQ(verified.records, 7u);
  EXPECT_TRUE(verified.notes.empty());
}

TEST_F(Leftover, AnUnfinishedRecordIsCutOff) {
  Make(3, 2, UnderWay::kAppend);
  fs::resize_file(place_.log_file, fs::file_size(place_.log_file) - 20);
  Verification verified = MustVerify(place_);
  EXPECT_EQ(verified.records, 5u);
  ASSERT_EQ(verified.notes.size(), 2u);
  EXPECT_THAT(verified.notes[0], HasSubstr("unfinished"));
  Append(place_, 1);
  verified = MustVerify(place_);
  EXPECT_EQ(verified.records, 6u);
  EXPECT_TRUE(verified.notes.empty());
}

TEST_F(Leftover, ARunningWriterPutsItRightToo) {
  const auto log = MustOpen(place_);
  ASSERT_TRUE(log->Append(ReadOf("a"), Durability::kOnDisk));
  std::ofstream(place_.log_file, std::ios::app) << R"({"seq":3,"time":"20)";
  std::string head = Slurp(HeadPath(place_));
  head[kUnderWayAt] = 1;
  Spill(HeadPath(place_), head);
  EXPECT_EQ(log->Append(ReadOf("b"), Durability::kWithKernel).value(), 3u);
  EXPECT_EQ(MustVerify(place_).records, 3u);
}

// Killed between the two slots of one head: the other head was not touched.
TEST_F(Leftover, HalvesThatDifferAreMadeEqual) {
  for (const Which which : {Which::kCurrent, Which::kDurable}) {
    Append(place_, 1);
    const std::string before = Slurp(HeadPath(place_));
    Append(place_, 1);
    std::string head = Slurp(HeadPath(place_));
    const std::size_t at = SlotAt(which, 1);
    head.replace(at, sizeof(HeadSlot), before, at, sizeof(HeadSlot));
    ASSERT_NE(head, Slurp(HeadPath(place_)));
    head[kUnderWayAt] = static_cast<char>(UnderWay::kFlush);
    Spill(HeadPath(place_), head);
    Append(place_, 1);
    EXPECT_TRUE(MustVerify(place_).notes.empty());
  }
}

TEST_F(Leftover, NothingButItsOwnBeginningsIsCutOff) {
  Make(3, 1, UnderWay::kAppend);
  std::ofstream(place_.log_file, std::ios::app) << "a whole line\n";
  const auto verified = Verify(place_, {}, Authority());
  ASSERT_TRUE(verified->damage);
  EXPECT_EQ(verified->damage->damage, Damage::kAdded);
  const auto log = Log::Open(place_, {}, Authority());
  ASSERT_FALSE(log.has_value());
  EXPECT_THAT(log.error().detail, HasSubstr("cordon audit verify"));
}

TEST_F(Leftover, RecordsAheadOfAHeadAtRestAreDamage) {
  Make(3, 2, UnderWay::kNothing);
  const auto verified = Verify(place_, {}, Authority());
  ASSERT_TRUE(verified->damage);
  EXPECT_EQ(verified->damage->damage, Damage::kAdded);
  EXPECT_FALSE(Log::Open(place_, {}, Authority()).has_value());
}

// The states between the steps of a rotation.
class Rotation : public Leftover {
 protected:
  void SetUp() override {
    options_.rotate_at = 1500;
    Append(place_, 2);
    before_ = HeadOf(place_);
    EditHead(place_, [](HeadImage& image) { image.under_way = UnderWay::kRotation; });
  }
  // Everything that was there is there, and a rotation works again.
  void ExpectGoesOn(std::uint64_t kept) {
    const Verification left = MustVerify(place_);
    EXPECT_EQ(left.records, kept);
    EXPECT_EQ(left.notes.size(), 1u);
    Append(place_, 20, options_);
    const Verification verified = MustVerify(place_);
    EXPECT_GT(verified.records, kept + 20);
    EXPECT_TRUE(verified.notes.empty());
    EXPECT_FALSE(fs::exists(place_.log_file + ".next"));
    EXPECT_TRUE(fs::exists(place_.log_file + ".000002"));
  }
  // The file that follows, as a rotation of the same log makes it.
  std::string NextFile() {
    const Tree copy;
    const LogPlace place{copy.At("a"), place_.key_file};
    for (const char* suffix : {"", ".head"}) {
      fs::copy_file(place_.log_file + suffix, place.log_file + suffix);
    }
    EditHead(place, [](HeadImage& image) { image.under_way = UnderWay::kNothing; });
    LogOptions now;
    now.rotate_at = 1;
    const auto log = MustOpen(place, now);
    EXPECT_TRUE(log->Append(ReadOf("x"), Durability::kWithKernel));
    EXPECT_TRUE(fs::exists(place.log_file + ".000001"));
    return LinesOf(Slurp(place.log_file)).front();
  }
  void PutNext(const std::string& suffix, const std::string& bytes) {
    Spill(place_.log_file + suffix, bytes);
    fs::permissions(place_.log_file + suffix, fs::perms(0600));
  }

  LogOptions options_;
  HeadImage before_;
};

TEST_F(Rotation, BeforeAnyFileIsMade) { ExpectGoesOn(3); }

TEST_F(Rotation, WithHalfOfTheNextFile) {
  PutNext(".next", NextFile().substr(0, 50));
  ExpectGoesOn(3);
}

TEST_F(Rotation, BetweenTheTwoRenames) {
  PutNext(".next", NextFile());
  fs::rename(place_.log_file, place_.log_file + ".000001");
  ExpectGoesOn(3);
}

TEST_F(Rotation, BeforeTheHeadIsTold) {
  const std::string next = NextFile();
  fs::rename(place_.log_file, place_.log_file + ".000001");
  PutNext("", next);
  ExpectGoesOn(4);
}

TEST_F(Rotation, IsNotBelievedWhenTheNextFileIsAnother) {
  fs::rename(place_.log_file, place_.log_file + ".000001");
  PutNext("", "something else\n");
  EXPECT_FALSE(Log::Open(place_, {}, Authority()).has_value());
  EXPECT_TRUE(Verify(place_, {}, Authority())->damage);
}

TEST(Creation, IsTakenUpWhereItEnded) {
  const Tree tree;
  const LogPlace place = PlaceIn(tree);
  Append(place, 0);
  EditHead(place, [](HeadImage& image) {
    image.current.seq = image.current.offset = image.current.written = 0;
    image.current.hash = image.current.log_id;
    image.durable = image.current;
    image.under_way = UnderWay::kCreation;
  });
  const std::string first = Slurp(place.log_file);
  for (const std::string& left : {std::string(), first.substr(0, 30), first}) {
    Spill(place.log_file, left);
    MustVerify(place);
  }
  fs::remove(place.log_file);
  EXPECT_EQ(MustVerify(place).records, 0u);
  Append(place, 2);
  EXPECT_EQ(MustVerify(place).records, 3u);
}

}  // namespace
}  // namespace cordon::audit
