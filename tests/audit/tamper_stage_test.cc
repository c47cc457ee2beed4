// Tampering with what is staged, and with the file while something is.
#include <fcntl.h>
#include <gtest/gtest.h>

#include "tests/audit/stage_fixture.h"

namespace cordon::audit {
namespace {

class StagedTamper : public StagedLog {
 protected:
  Finding Found() const {
    const auto verified = Verify(place_, {}, Authority());
    if (!verified || !verified->damage) {
      ADD_FAILURE() << "nothing was found";
      return {};
    }
    return *verified->damage;
  }
  // Neither at rest nor by claiming that a writer was killed.
  void ExpectFound(const std::string& file, const std::string& head) const {
    for (const UnderWay word : {UnderWay::kNothing, UnderWay::kAppend, UnderWay::kRotation}) {
      Put(file, WithWord(head, word));
      Found();
      ExpectRefused();
    }
  }
};

TEST_F(StagedTamper, AnyByteIsChanged) {
  for (std::size_t i = 0; i < staged_.size(); ++i) {
    for (const char flip : {1, -128}) {
      SCOPED_TRACE("byte " + std::to_string(i));
      std::string changed = staged_;
      changed[i] = static_cast<char>(changed[i] ^ flip);
      Put(file_, WithStaged(changed));
      EXPECT_EQ(Found().damage, Damage::kChanged);
      ExpectFound(file_, WithStaged(changed));
      if (HasFailure()) return;
    }
  }
}

TEST_F(StagedTamper, RecordsAreSwappedRepeatedOrForeign) {
  const auto lines = LinesOf(staged_);
  ExpectFound(file_, WithStaged(lines[0] + lines[2] + lines[1] + lines[3]));
  ExpectFound(file_, WithStaged(lines[0] + lines[1] + lines[1] + lines[3]));
  ExpectFound(file_, WithStaged(LinesOf(file_)[1] + lines[1] + lines[2] + lines[3]));
  ExpectFound(file_, WithStaged(std::string(staged_.size(), '\0')));
  ExpectFound(file_, WithStaged(std::string(staged_.size(), '\n')));
}

TEST_F(StagedTamper, WhatStandsBehindItMeansNothing) {
  std::string head = head_;
  head.replace(kHeadPage + staged_.size(), std::string::npos, kStageSize - staged_.size(), 'x');
  Put(file_, head);
  ExpectSeen(0);
  ExpectTakenOver();
}

TEST_F(StagedTamper, TheFileIsCut) {
  for (const std::size_t cut : {std::size_t{1}, std::size_t{200}, file_.size()}) {
    Put(file_.substr(0, file_.size() - cut), head_);
    EXPECT_EQ(Found().damage, Damage::kTruncated);
    ExpectFound(file_.substr(0, file_.size() - cut), head_);
  }
}

TEST_F(StagedTamper, SomethingIsAddedToTheFile) {
  const auto lines = LinesOf(staged_);
  for (const std::string& added : {std::string("x"), std::string("\n"), lines[0].substr(0, 40)}) {
    Put(file_ + added, head_);
    EXPECT_EQ(Found().damage, Damage::kAdded);
    ExpectRefused();
  }
  // What a killed writer leaves is the very beginning of the stage, and nothing else.
  for (const std::string& added :
       {std::string("x"), std::string("\n"), lines[1], lines[0] + lines[2], staged_ + "a\n"}) {
    ExpectFound(file_ + added, head_);
  }
}

TEST_F(StagedTamper, ARunningWriterNoticesWhatIsDoneToTheFile) {
  for (const std::string& file : {file_ + "x", file_ + staged_, file_.substr(0, 100)}) {
    std::filesystem::remove_all(tree_.At("other"));
    const LogPlace place{tree_.At("other/audit.jsonl"), tree_.At("other/key")};
    const auto log = MustOpen(place, NeverFlushed());
    ASSERT_TRUE(log->Append(ReadOf("a"), Durability::kOnDisk));
    ASSERT_TRUE(log->Append(ReadOf("b"), Durability::kWithKernel));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    Spill(place.log_file, file);
    for (int i = 0; i < 2; ++i) {
      EXPECT_FALSE(log->Append(ReadOf("c"), Durability::kWithKernel).has_value());
      EXPECT_FALSE(log->Flush().has_value());
    }
  }
}

}  // namespace
}  // namespace cordon::audit
