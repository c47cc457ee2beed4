// Every kind of tampering with the files of a log is found, and called by its name.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/audit/tampered.h"

namespace cordon::audit {
namespace {

class Tamper : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { log_ = std::make_unique<Tampered>(); }
  static void TearDownTestSuite() { log_.reset(); }
  void SetUp() override {
    ASSERT_GE(log_->names().size(), 4u);
    first_ = log_->names().front();
    middle_ = log_->names()[2];
  }
  void TearDown() override {
    log_->PutBack();
    MustVerify(log_->place());
  }

  // Lines of a file that matter: the first, one in the middle, the last.
  static std::vector<std::size_t> SomeLines(const std::string& name) {
    const std::size_t count = log_->lines(name).size();
    return {1, count / 2, count};
  }

  inline static std::unique_ptr<Tampered> log_;
  std::string first_, middle_, last_ = "audit.jsonl";
};

TEST_F(Tamper, AnUntouchedLogPasses) {
  const Verification verified = MustVerify(log_->place());
  EXPECT_EQ(verified.records, 301u + log_->names().size() - 1);
  EXPECT_EQ(verified.last, verified.records);
  EXPECT_TRUE(verified.notes.empty());
  const std::string end = log_->lines(last_).back();
  EXPECT_NE(end.find("\"hash\":\"" + ToHex(verified.head)), std::string::npos);
}

TEST_F(Tamper, AnyByteOfARecordIsChanged) {
  for (const std::string& name : {first_, middle_, last_}) {
    for (const std::size_t line : SomeLines(name)) {
      std::vector<std::string> lines = log_->lines(name);
      const std::string whole = lines[line - 1];
      for (std::size_t i = 0; i < whole.size(); ++i) {
        lines[line - 1][i] = static_cast<char>(whole[i] ^ 1);
        log_->PutLines(name, lines);
        SCOPED_TRACE(name + " line " + std::to_string(line) + " byte " + std::to_string(i));
        log_->Expect(Damage::kChanged, name, line, log_->SeqAt(name, line));
        lines[line - 1] = whole;
        if (HasFailure()) return;
      }
    }
  }
}

TEST_F(Tamper, ARecordIsMadeLongerOrShorter) {
  for (const std::string& name : {first_, middle_, last_}) {
    const std::vector<std::string> whole = log_->lines(name);
    const std::size_t at = whole.size() / 2;
    for (const std::string& put : {std::string(" "), std::string("\n"), std::string("\0", 1)}) {
      for (const std::size_t i : {std::size_t{1}, std::size_t{40}, whole[at].size() - 2}) {
        auto lines = whole;
        lines[at].insert(i, put);
        log_->PutLines(name, lines);
        log_->Expect(Damage::kChanged, name, at + 1, log_->SeqAt(name, at + 1));
      }
    }
    auto lines = whole;
    lines[at].erase(40, 1);
    log_->PutLines(name, lines);
    log_->Expect(Damage::kChanged, name, at + 1, log_->SeqAt(name, at + 1));
  }
}

TEST_F(Tamper, RecordsAreRemovedFromTheMiddle) {
  for (const std::string& name : {first_, middle_, last_}) {
    for (const std::size_t count : {std::size_t{1}, std::size_t{5}}) {
      for (const std::size_t line : {std::size_t{1}, std::size_t{2}, std::size_t{20}}) {
        auto lines = log_->lines(name);
        const auto from = lines.begin() + static_cast<std::ptrdiff_t>(line - 1);
        lines.erase(from, from + static_cast<std::ptrdiff_t>(count));
        log_->PutLines(name, lines);
        log_->Expect(Damage::kRemoved, name, line, log_->SeqAt(name, line));
      }
    }
  }
}

TEST_F(Tamper, RecordsAreRemovedFromTheEndOfAnOlderFile) {
  for (const std::size_t count : {std::size_t{1}, std::size_t{7}}) {
    auto lines = log_->lines(first_);
    lines.resize(lines.size() - count);
    log_->PutLines(first_, lines);
    log_->Expect(Damage::kRemoved, log_->names()[1], 1, lines.size() + 1);
  }
  log_->Put(middle_, "");
  log_->Expect(Damage::kRemoved, log_->names()[3], 1, log_->SeqAt(middle_, 1));
}

TEST_F(Tamper, TheLogIsCutShort) {
  const auto whole = log_->lines(last_);
  for (const std::size_t count : {std::size_t{1}, std::size_t{7}, whole.size() - 1, whole.size()}) {
    auto lines = whole;
    lines.resize(lines.size() - count);
    log_->PutLines(last_, lines);
    log_->Expect(Damage::kTruncated, last_, 0, log_->SeqAt(last_, whole.size() - count + 1));
  }
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{2}, std::size_t{200}}) {
    std::string cut = log_->bytes(last_);
    cut.resize(cut.size() - bytes);
    log_->Put(last_, cut);
    log_->Expect(Damage::kTruncated, last_, whole.size(), log_->SeqAt(last_, whole.size()));
  }
}

TEST_F(Tamper, AFileIsRemoved) {
  log_->Remove(first_);
  log_->Expect(Damage::kRemoved, first_, 0, 1);
  log_->Remove(middle_);
  log_->Expect(Damage::kRemoved, middle_, 0, log_->SeqAt(middle_, 1));
  log_->Remove(last_);
  log_->Expect(Damage::kTruncated, last_, 0, log_->SeqAt(last_, 1));
  for (const std::string& name : log_->names()) {
    if (name != last_) log_->Remove(name);
  }
  log_->Expect(Damage::kRemoved, first_, 0, 1);
}

TEST_F(Tamper, RecordsAreSwapped) {
  for (const std::string& name : {first_, middle_, last_}) {
    auto lines = log_->lines(name);
    std::swap(lines[5], lines[6]);
    log_->PutLines(name, lines);
    log_->Expect(Damage::kReordered, name, 6, log_->SeqAt(name, 6));
    lines = log_->lines(name);
    std::swap(lines.front(), lines.back());
    log_->PutLines(name, lines);
    log_->Expect(Damage::kReordered, name, 1, log_->SeqAt(name, 1));
  }
}

TEST_F(Tamper, FilesAreSwapped) {
  for (const auto& [a, b] : {std::pair(first_, middle_), std::pair(first_, last_)}) {
    log_->Put(a, log_->bytes(b));
    log_->Put(b, log_->bytes(a));
    log_->Expect(Damage::kReordered, a, 1, 1);
  }
}

TEST_F(Tamper, ARecordIsThereTwice) {
  for (const std::string& name : {first_, middle_, last_}) {
    auto lines = log_->lines(name);
    lines.insert(lines.begin() + 10, lines[9]);
    log_->PutLines(name, lines);
    log_->Expect(Damage::kReordered, name, 11, log_->SeqAt(name, 11));
    lines = log_->lines(name);
    lines.insert(lines.begin() + 20, log_->lines(first_)[3]);
    log_->PutLines(name, lines);
    log_->Expect(Damage::kReordered, name, 21, log_->SeqAt(name, 21));
  }
}

TEST_F(Tamper, ARecordMovesToTheNextFile) {
  auto one = log_->lines(first_), two = log_->lines(log_->names()[1]);
  two.insert(two.begin(), one.back());
  one.pop_back();
  log_->PutLines(first_, one);
  log_->PutLines(log_->names()[1], two);
  log_->Expect(Damage::kReordered, log_->names()[1], 1, one.size() + 1);
  one = log_->lines(first_), two = log_->lines(log_->names()[1]);
  one.push_back(two.front());
  two.erase(two.begin());
  log_->PutLines(first_, one);
  log_->PutLines(log_->names()[1], two);
  log_->Expect(Damage::kReordered, first_, one.size(), one.size());
}

TEST_F(Tamper, SomethingIsAddedAtTheEnd) {
  const std::size_t next = log_->lines(last_).size() + 1;
  const std::uint64_t seq = log_->SeqAt(last_, next - 1) + 1;
  std::string forged = log_->lines(last_).back();
  forged.replace(7, 3, std::to_string(seq));
  for (const std::string& added :
       {std::string("x"), std::string("\n"), std::string(4096, '\0'), std::string("{}\n"), forged,
        log_->lines(last_).back(), log_->lines(first_).front()}) {
    log_->Put(last_, log_->bytes(last_) + added);
    log_->Expect(Damage::kAdded, last_, next, seq);
  }
}

TEST_F(Tamper, AForgedRecordIsPutIn) {
  for (const std::string& name : {first_, middle_, last_}) {
    auto lines = log_->lines(name);
    std::string forged = lines[10];
    forged.replace(forged.find("agent"), 5, "human");
    lines.insert(lines.begin() + 10, forged);
    log_->PutLines(name, lines);
    log_->Expect(Damage::kAdded, name, 11, log_->SeqAt(name, 11));
  }
}

TEST_F(Tamper, AFileIsAdded) {
  for (const char* name : {"audit.jsonl.000099", "audit.jsonl.000000"}) {
    log_->Put(name, log_->bytes(first_));
    std::filesystem::permissions(log_->Path(name), std::filesystem::perms(0600));
    log_->Expect(Damage::kAdded, name, 0, 1);
  }
}

TEST_F(Tamper, BytesAreZeroed) {
  for (const std::string& name : {first_, middle_, last_}) {
    log_->Put(name, std::string(log_->bytes(name).size(), '\0'));
    log_->Expect(Damage::kChanged, name, 1, log_->SeqAt(name, 1));
    auto lines = log_->lines(name);
    lines[4].assign(lines[4].size(), '\0');
    log_->PutLines(name, lines);
    log_->Expect(Damage::kChanged, name, 5, log_->SeqAt(name, 5));
  }
}

TEST_F(Tamper, RecordsOfAnotherLogUnderTheSameKey) {
  const auto other = log_->Other(Tampered::OtherKey::kSame);
  for (const std::string& name : {first_, middle_, last_}) {
    const auto theirs = LinesOf(other.at(name));
    auto lines = log_->lines(name);
    lines[10] = theirs[10];  // in place of its like
    log_->PutLines(name, lines);
    log_->Expect(Damage::kForeign, name, 11, log_->SeqAt(name, 11));
    for (const std::size_t which : {5u, 15u}) {  // between two
      lines = log_->lines(name);
      lines.insert(lines.begin() + 10, theirs[which]);
      log_->PutLines(name, lines);
      log_->Expect(Damage::kForeign, name, 11, log_->SeqAt(name, 11));
    }
    lines = log_->lines(name);  // a whole tail
    std::copy(theirs.begin() + 10, theirs.end(), lines.begin() + 10);
    log_->PutLines(name, lines);
    log_->Expect(Damage::kForeign, name, 11, log_->SeqAt(name, 11));
    log_->Put(name, other.at(name));  // a whole file
    log_->Expect(Damage::kForeign, name, 1, log_->SeqAt(name, 1));
  }
  for (const std::string& name : log_->names()) log_->Put(name, other.at(name));
  log_->Expect(Damage::kForeign, first_, 1, 1);
}

TEST_F(Tamper, ALaterTailOfAnotherLogUnderTheSameKey) {
  const auto other = log_->Other(Tampered::OtherKey::kSame);
  auto lines = log_->lines(last_);
  const auto theirs = LinesOf(other.at(last_));
  lines.resize(10);
  lines.insert(lines.end(), theirs.begin() + 12, theirs.end());
  log_->PutLines(last_, lines);
  log_->Expect(Damage::kForeign, last_, 11, log_->SeqAt(last_, 11));
}

TEST_F(Tamper, RecordsOfAnotherLogUnderAnotherKey) {
  const auto other = log_->Other(Tampered::OtherKey::kOwn);
  for (const std::string& name : {first_, middle_, last_}) {
    const auto theirs = LinesOf(other.at(name));
    auto lines = log_->lines(name);
    lines[10] = theirs[10];
    log_->PutLines(name, lines);
    log_->Expect(Damage::kChanged, name, 11, log_->SeqAt(name, 11));
    lines = log_->lines(name);
    lines.insert(lines.begin() + 10, theirs[10]);
    log_->PutLines(name, lines);
    log_->Expect(Damage::kAdded, name, 11, log_->SeqAt(name, 11));
    log_->Put(name, other.at(name));
    log_->Expect(Damage::kChanged, name, 1, log_->SeqAt(name, 1));
  }
}

TEST_F(Tamper, OlderFilesMayBeArchivedWhenVerifyIsToldSo) {
  log_->Remove(first_);
  VerifyOptions options;
  options.first = log_->SeqAt(log_->names()[1], 1);
  Verification verified = MustVerify(log_->place(), options);
  EXPECT_EQ(verified.first, options.first);
  options.first += 5;
  verified = MustVerify(log_->place(), options);
  EXPECT_EQ(verified.first, options.first - 5) << "a file is looked at from its beginning";
  options.first = log_->SeqAt(last_, 3);
  verified = MustVerify(log_->place(), options);
  EXPECT_EQ(verified.first, log_->SeqAt(last_, 1));

  options.first = log_->SeqAt(log_->names()[1], 1) - 1;
  EXPECT_EQ(log_->Found(options).damage, Damage::kRemoved);
  options.first = 100'000;
  EXPECT_EQ(Verify(log_->place(), options, Authority()).error().code, ErrorCode::kInvalidArguments);
  // What is looked at is looked at as closely.
  options.first = log_->SeqAt(log_->names()[1], 1);
  auto lines = log_->lines(middle_);
  lines.erase(lines.begin() + 3);
  log_->PutLines(middle_, lines);
  EXPECT_EQ(log_->Found(options).damage, Damage::kRemoved);
}

}  // namespace
}  // namespace cordon::audit
