// Tampering with the head, and with log and head together.
#include <gtest/gtest.h>

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
  ASSERT_EQ(whole.size(), 4096u);
  for (std::size_t i = 0; i < whole.size(); ++i) {
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
       {std::string(), whole.substr(0, 4095), whole + "x", std::string(4096, '\0')}) {
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
