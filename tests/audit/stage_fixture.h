// Logs whose last records are staged, as a killed writer leaves them.
#pragma once

#include <gtest/gtest.h>

#include "audit/reader.h"
#include "platform/shared_region.h"
#include "tests/audit/head_edit.h"

namespace cordon::audit {

// Every line that `cordon audit` would show.
inline std::vector<std::string> ReadAll(Reader& reader) {
  std::vector<std::string> lines;
  const Status status = reader.ReadNew([&](const Reader::Line& line) {
    lines.push_back(std::string(line.text) + "\n");
    return ReadOn::kYes;
  });
  EXPECT_TRUE(status) << status.error().detail;
  return lines;
}
inline std::vector<std::string> ReadAll(const LogPlace& place) {
  Reader reader = Reader::Open(place.log_file, Authority()).value();
  return ReadAll(reader);
}

// Three records in the file, with log.opened, and four in the stage.
class StagedLog : public ::testing::Test {
 protected:
  static constexpr std::size_t kInFile = 3, kStaged = 4, kRecords = kInFile + kStaged;

  void SetUp() override {
    {
      const LogPlace live{tree_.At("live/audit.jsonl"), place_.key_file};
      const auto log = MustOpen(live, NeverFlushed());
      ASSERT_TRUE(log);
      for (std::size_t i = 1; i < kRecords; ++i) {
        const bool flushed = i + 1 == kInFile;
        ASSERT_TRUE(log->Append(ReadOf("file" + std::to_string(i)),
                                flushed ? Durability::kOnDisk : Durability::kWithKernel));
      }
      tree_.Dir("state");
      for (const char* suffix : {"", ".head"}) {
        std::filesystem::copy_file(live.log_file + suffix, place_.log_file + suffix);
        std::filesystem::permissions(place_.log_file + suffix, std::filesystem::perms(0600));
      }
    }
    const std::string any = HeadPath(place_);
    const platform::UniqueFd head(::open(any.c_str(), O_RDONLY | O_CLOEXEC));
    if (platform::SharedRegion::BestAccess(head.get()) != platform::SharedRegion::Access::kMapped) {
      GTEST_SKIP() << "nothing is staged on this file system";
    }
    file_ = Slurp(place_.log_file);
    head_ = Slurp(HeadPath(place_));
    staged_ = StagedOf(place_);
    ASSERT_EQ(LinesOf(file_).size(), kInFile);
    ASSERT_EQ(LinesOf(staged_).size(), kStaged);
  }

  void Put(const std::string& file, const std::string& head) const {
    Spill(place_.log_file, file);
    Spill(HeadPath(place_), head);
  }
  std::string WithStaged(const std::string& staged) const {
    std::string head = head_;
    return head.replace(kHeadPage, staged.size(), staged);
  }
  static std::string WithWord(std::string head, UnderWay word) {
    head[kUnderWayAt] = static_cast<char>(word);
    return head;
  }

  void LosePower() const {
    EditHead(place_,
             [](HeadImage& image) { image.current.boot = image.durable.boot = OtherBoot(); });
  }

  // All records are seen without a writer, and nothing is changed by looking.
  void ExpectSeen(std::size_t notes) const {
    const std::string file = Slurp(place_.log_file), head = Slurp(HeadPath(place_));
    const Verification verified = MustVerify(place_);
    EXPECT_EQ(verified.records, kRecords);
    EXPECT_EQ(verified.notes.size(), notes);
    EXPECT_EQ(ReadAll(place_), LinesOf(file_ + staged_));
    EXPECT_EQ(Slurp(place_.log_file), file);
    EXPECT_EQ(Slurp(HeadPath(place_)), head);
  }
  // The next writer has them in the file, and goes on behind them.
  void ExpectTakenOver() const {
    {
      const auto log = MustOpen(place_, NeverFlushed());
      ASSERT_TRUE(log);
      EXPECT_EQ(Slurp(place_.log_file), file_ + staged_);
      EXPECT_EQ(log->Append(ReadOf("next"), Durability::kWithKernel).value(), kRecords + 1);
    }
    EXPECT_EQ(Slurp(place_.log_file).substr(0, file_.size() + staged_.size()), file_ + staged_);
    const Verification verified = MustVerify(place_);
    EXPECT_EQ(verified.records, kRecords + 1);
    EXPECT_TRUE(verified.notes.empty());
  }
  void ExpectRefused() const {
    const auto log = Log::Open(place_, {}, Authority());
    ASSERT_FALSE(log.has_value());
    EXPECT_NE(log.error().detail.find("cordon audit verify"), std::string::npos);
  }

  testing::Tree tree_;
  LogPlace place_ = PlaceIn(tree_);
  std::string file_, head_, staged_;
};

}  // namespace cordon::audit
