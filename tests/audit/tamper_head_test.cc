// Tampering with the head, and with log and head together.
#include <gtest/gtest.h>

#include "tests/audit/head_edit.h"
#include "tests/audit/tampered.h"

namespace cordon::audit {
namespace {

constexpr const char* kHead = "audit.jsonl.head";
constexpr std::size_t kUnderWay = 16;  // the byte that says what a writer is doing

TEST(TamperHead, ItIsGone) {
  const Tampered log;
  log.Remove(kHead);
  log.Expect(Damage::kNoHead, kHead, 0, 1);
}

TEST(TamperHead, AnyByteOfItIsChanged) {
  const Tampered log;
  const std::string whole = log.bytes(kHead);
  ASSERT_EQ(whole.size(), kHeadSize);
  for (std::size_t i = 0; i < kHeadPage; ++i) {  // the stage: StagedTamper
    for (const char flip : {1, -128}) {
      std::string changed = whole;
      changed[i] = static_cast<char>(changed[i] ^ flip);
      log.Put(kHead, changed);
      SCOPED_TRACE("byte " + std::to_string(i));
      if (i == kUnderWay && flip == 1) {
        // It says that a writer was killed: told, and no way to hide a record.
        EXPECT_EQ(MustVerify(log.place()).notes.size(), 1u);
      } else {
        EXPECT_EQ(log.Found().damage, Damage::kChanged);
        EXPECT_EQ(log.Found().file, kHead);
      }
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TEST(TamperHead, ItIsShorterOrLonger) {
  const Tampered log;
  const std::string whole = log.bytes(kHead);
  for (const std::string& head :
       {std::string(), whole.substr(0, 4096), whole.substr(0, kHeadSize - 1), whole + "x",
        std::string(kHeadSize, '\0')}) {
    log.Put(kHead, head);
    log.Expect(Damage::kChanged, kHead, 0, 1);
  }
}

TEST(TamperHead, ItIsPutBackToAnEarlierState) {
  const Tampered log;
  log.Put(kHead, log.previous_head());
  const std::size_t last = log.lines("audit.jsonl").size();
  log.Expect(Damage::kAdded, "audit.jsonl", last, log.SeqAt("audit.jsonl", last));
  log.Put(kHead, log.old_head());
  EXPECT_EQ(log.Found().damage, Damage::kAdded);
}

TEST(TamperHead, ItIsOfAnotherLog) {
  const Tampered log;
  log.Put(kHead, log.Other(Tampered::OtherKey::kSame).at(kHead));
  log.Expect(Damage::kForeign, log.names().front(), 1, 1);
  log.Put(kHead, log.Other(Tampered::OtherKey::kOwn).at(kHead));
  log.Expect(Damage::kChanged, kHead, 0, 1);
}

// Whoever claims that a writer was killed gains nothing by it.
TEST(TamperHead, ACutLogIsFoundThoughAWriterSeemsToHaveDied) {
  const Tampered log;
  const std::size_t last = log.lines("audit.jsonl").size();
  for (char state = 1; state <= 4; ++state) {
    std::string head = log.bytes(kHead);
    head[kUnderWay] = state;
    log.Put(kHead, head);
    auto lines = log.lines("audit.jsonl");
    lines.pop_back();
    log.PutLines("audit.jsonl", lines);
    EXPECT_EQ(log.Found().damage, Damage::kTruncated);
    log.Put("audit.jsonl", log.bytes("audit.jsonl").substr(0, log.bytes("audit.jsonl").size() - 9));
    EXPECT_EQ(log.Found().damage, Damage::kTruncated);
    log.Put("audit.jsonl", log.bytes("audit.jsonl") + log.lines("audit.jsonl").back());
    EXPECT_EQ(log.Found().damage, Damage::kAdded);
    log.PutLines("audit.jsonl", log.lines("audit.jsonl"));
    log.Remove("audit.jsonl");
    EXPECT_EQ(log.Found().damage, Damage::kTruncated);
    log.PutBack();
    log.Put(kHead, head);
    auto middle = log.lines(log.names()[1]);
    middle.erase(middle.begin() + 4);
    log.PutLines(log.names()[1], middle);
    log.Expect(Damage::kRemoved, log.names()[1], 5, log.SeqAt(log.names()[1], 5));
    (void)last;
  }
}

// Whoever has no key but may write: blanks halves of the head, turns its words, claims
// that a writer died, and cuts the log to where the head might have told its end before.
class Rollback : public ::testing::Test {
 protected:
  static constexpr std::size_t kRecords = 7;  // with log.opened

  // As a writer leaves it with its last records not flushed yet, or flushed.
  enum class Moment { kBeforeFlush, kAfterFlush };
  void Write(Moment moment) {
    LogOptions options;
    options.flush_after = std::chrono::hours(1);
    const auto log = MustOpen(place_, options);
    ASSERT_TRUE(log);
    for (std::size_t i = 1; i < kRecords; ++i) {
      const auto durability = i == 3 ? Durability::kOnDisk : Durability::kWithKernel;
      ASSERT_TRUE(log->Append(ReadOf("file" + std::to_string(i)), durability));
    }
    if (moment == Moment::kAfterFlush) {
      ASSERT_TRUE(log->Flush());
    }
    head_ = Slurp(HeadPath(place_));
    log_ = Slurp(place_.log_file);
    staged_ = StagedOf(place_);
  }

  // `blank` has a bit for each of the four slots; `words` for the two behind the magic.
  std::string Edited(unsigned blank, unsigned words, char under_way) const {
    std::string head = head_;
    for (std::size_t slot = 0; slot < 4; ++slot) {
      if ((blank >> slot & 1) != 0) head.replace(256 * (slot + 1), 152, 152, '\0');
    }
    for (std::size_t word = 0; word < 2; ++word) {
      if ((words >> word & 1) != 0) head[8 + 4 * word] ^= 1;
    }
    head[kUnderWay] = under_way;
    return head;
  }

  // Nor by putting some of what is staged into the file.
  void ExpectNothingIsHidden(const std::string& head) const {
    const auto lines = LinesOf(log_ + staged_);
    ASSERT_EQ(lines.size(), kRecords);
    std::string cut;
    for (std::size_t kept = 0; kept <= kRecords; ++kept) {
      if (kept > 0) cut += lines[kept - 1];
      Spill(HeadPath(place_), head);
      Spill(place_.log_file, cut);
      const auto verified = Verify(place_, {}, Authority());
      ASSERT_TRUE(verified) << verified.error().detail;
      if (cut.size() >= log_.size() && !verified->damage) {
        EXPECT_EQ(verified->records, kRecords);
      } else {
        EXPECT_TRUE(verified->damage) << "only " << kept << " records are left";
      }
      const bool opens = Log::Open(place_, {}, Authority()).has_value();
      EXPECT_EQ(opens, !verified->damage) << kept;
      if (opens) {
        EXPECT_EQ(MustVerify(place_).records, kRecords);
      }
    }
  }

  testing::Tree tree_;
  LogPlace place_ = PlaceIn(tree_);
  std::string head_, log_, staged_;
};

TEST_F(Rollback, TheHeadHoldsNoEarlierEnd) {
  for (const Moment moment : {Moment::kBeforeFlush, Moment::kAfterFlush}) {
    std::filesystem::remove_all(tree_.At("state"));
    Write(moment);
    Spill(HeadPath(place_), head_);  // as it was before the log was closed
    const HeadImage image = HeadOf(place_);
    EXPECT_EQ(image.current.seq, kRecords);
    EXPECT_EQ(image.durable.seq, moment == Moment::kBeforeFlush ? 4u : kRecords);
    for (unsigned blank = 0; blank < 16; ++blank) {
      for (unsigned words = 0; words < 4; ++words) {
        for (char under_way = 0; under_way <= 4; ++under_way) {
          SCOPED_TRACE("blank " + std::to_string(blank) + ", words " + std::to_string(words) +
                       ", under way " + std::to_string(under_way));
          ExpectNothingIsHidden(Edited(blank, words, under_way));
          if (::testing::Test::HasFailure()) return;
        }
      }
    }
  }
}

TEST_F(Rollback, AHalfThatIsBlankedAtRestIsDamage) {
  Write(Moment::kAfterFlush);
  for (unsigned blank = 1; blank < 16; ++blank) {
    Spill(HeadPath(place_), Edited(blank, 0, 0));
    const auto verified = Verify(place_, {}, Authority());
    ASSERT_TRUE(verified && verified->damage) << blank;
    EXPECT_EQ(verified->damage->damage, Damage::kChanged);
    EXPECT_EQ(verified->damage->file, kHead);
  }
}

Anchor AnchorOf(const Tampered& log, const std::string& name, std::size_t line) {
  const std::string text = log.lines(name)[line - 1];
  return {log.SeqAt(name, line), FromHex(text.substr(text.size() - 67, 64)).value()};
}

TEST(TamperHead, AnAnchorTellsThatAllWasPutBackToAnEarlierState) {
  Tampered log;
  VerifyOptions options;
  options.anchors = {AnchorOf(log, "audit.jsonl", 3), AnchorOf(log, log.names()[0], 2)};
  MustVerify(log.place(), options);
  auto lines = log.lines("audit.jsonl");
  options.anchors.push_back(AnchorOf(log, "audit.jsonl", lines.size()));
  MustVerify(log.place(), options);
  lines.pop_back();
  log.PutLines("audit.jsonl", lines);
  log.Put(kHead, log.previous_head());
  MustVerify(log.place());  // by itself it is whole
  const Finding cut = log.Found(options);
  EXPECT_EQ(cut.damage, Damage::kTruncated) << Describe(cut);
  {
    const auto reopened = MustOpen(log.place());
    ASSERT_TRUE(reopened->Append(ReadOf("another past"), Durability::kWithKernel));
  }
  MustVerify(log.place());
  const Finding forked = log.Found(options);
  EXPECT_EQ(forked.damage, Damage::kForeign) << Describe(forked);
  EXPECT_EQ(forked.seq, options.anchors.back().seq);
}

TEST(TamperHead, AnAnchorOlderThanWhatIsLookedAtIsTold) {
  const Tampered log;
  VerifyOptions options;
  options.anchors = {AnchorOf(log, log.names()[0], 2)};
  options.first = log.SeqAt("audit.jsonl", 1);
  EXPECT_EQ(MustVerify(log.place(), options).notes.size(), 1u);
}

TEST(TamperHead, NoLogAndNoKeyAreErrors) {
  const testing::Tree tree;
  EXPECT_EQ(Verify(PlaceIn(tree), {}, Authority()).error().code, ErrorCode::kNotFound);
  tree.Dir("state");
  EXPECT_EQ(Verify(PlaceIn(tree), {}, Authority()).error().code, ErrorCode::kNotFound);
  MustOpen(PlaceIn(tree));
  std::filesystem::remove(tree.At("state/audit.key"));
  EXPECT_EQ(Verify(PlaceIn(tree), {}, Authority()).error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace cordon::audit
