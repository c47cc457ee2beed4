#include "audit/reader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "audit/line_source.h"
#include "audit/log_files.h"
#include "tests/tree.h"

namespace cordon::audit {
namespace {

class ReaderTest : public ::testing::Test {
 protected:
  std::string log() const { return tree_.At("log"); }
  Reader Open() const {
    Result<Reader> reader = Reader::Open(log(), confine::AmbientAuthority::OfThisProcess());
    EXPECT_TRUE(reader) << reader.error().detail;
    return std::move(*reader);
  }
  void Append(const std::string& name, const std::string& text) const {
    std::ofstream(tree_.At(name), std::ios::binary | std::ios::app) << text;
  }
  void Rotate(const std::string& number) const {
    std::filesystem::rename(tree_.At("log"), tree_.At("log." + number));
  }
  // "FILE:NUMBER TEXT" of everything new.
  static std::vector<std::string> ReadOf(Reader& reader) {
    std::vector<std::string> lines;
    const Status status = reader.ReadNew([&](const Reader::Line& line) {
      const std::string file(line.file.substr(line.file.rfind('/') + 1));
      lines.push_back(file + ":" + std::to_string(line.number) + " " + std::string(line.text));
      return ReadOn::kYes;
    });
    EXPECT_TRUE(status) << status.error().detail;
    return lines;
  }
  using Lines = std::vector<std::string>;

  testing::Tree tree_;
};

TEST_F(ReaderTest, NoLogIsSaid) {
  for (const std::string& file : {log(), tree_.At("no/such/log"), tree_.path() + "/"}) {
    const auto reader = Reader::Open(file, confine::AmbientAuthority::OfThisProcess());
    ASSERT_FALSE(reader) << file;
    EXPECT_EQ(reader.error().code, ErrorCode::kNotFound);
    EXPECT_NE(reader.error().detail.find(file), std::string::npos);
  }
}

TEST_F(ReaderTest, WhatIsNoFileIsRefusedWithoutWaiting) {
  tree_.Fifo("log");
  const auto reader = Reader::Open(log(), confine::AmbientAuthority::OfThisProcess());
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().code, ErrorCode::kNotARegularFile);
}

TEST_F(ReaderTest, GoesThroughTheFilesOldestFirst) {
  tree_.File("log.000002", "c\n").File("log.000001", "a\nb\n").File("log", "e\n");
  tree_.File("log.1000000", "d\n");
  // None of these is the log's.
  tree_.File("log.head", "x\n").File("log.00001", "x\n").File("log.0000003", "x\n");
  tree_.File("log.000000", "x\n").File("log2.000001", "x\n").File("log.000001~", "x\n");
  Reader reader = Open();
  EXPECT_EQ(ReadOf(reader), (Lines{"log.000001:1 a", "log.000001:2 b", "log.000002:1 c",
                                   "log.1000000:1 d", "log:1 e"}));
  EXPECT_EQ(ReadOf(reader), Lines{});
}

TEST_F(ReaderTest, WaitsForTheNewline) {
  tree_.File("log", "a\nb");
  Reader reader = Open();
  EXPECT_EQ(ReadOf(reader), Lines{"log:1 a"});
  EXPECT_EQ(ReadOf(reader), Lines{});
  Append("log", "b\n\nc");
  EXPECT_EQ(ReadOf(reader), (Lines{"log:2 bb", "log:3 "}));
}

TEST_F(ReaderTest, ForgetsATornLineThatWasRemoved) {
  tree_.File("log", "a\ntorn torn torn");
  Reader reader = Open();
  EXPECT_EQ(ReadOf(reader), Lines{"log:1 a"});
  std::filesystem::resize_file(log(), 2);
  Append("log", "b\n");
  EXPECT_EQ(ReadOf(reader), Lines{"log:2 b"});
}

TEST_F(ReaderTest, FollowsARotation) {
  tree_.File("log", "a\n");
  Reader reader = Open();
  EXPECT_EQ(ReadOf(reader), Lines{"log:1 a"});
  Append("log", "b\n");
  Rotate("000001");
  tree_.File("log", "c\n");
  EXPECT_EQ(ReadOf(reader), (Lines{"log:2 b", "log:1 c"}));
}

TEST_F(ReaderTest, FollowsSeveralRotationsAtOnce) {
  tree_.File("log", "a\n");
  Reader reader = Open();
  EXPECT_EQ(ReadOf(reader), Lines{"log:1 a"});
  Append("log", "b\n");
  Rotate("000001");
  for (const char* number : {"000002", "000003"}) {
    tree_.File("log", std::string(number) + "\n");
    Rotate(number);
  }
  tree_.File("log", "now\n");
  EXPECT_EQ(ReadOf(reader),
            (Lines{"log:2 b", "log.000002:1 000002", "log.000003:1 000003", "log:1 now"}));
}

TEST_F(ReaderTest, FollowsFromBetweenTwoFiles) {
  tree_.File("log", "a\n");
  Reader reader = Open();
  EXPECT_EQ(ReadOf(reader), Lines{"log:1 a"});
  Rotate("000001");
  EXPECT_EQ(ReadOf(reader), Lines{});  // no current file yet
  tree_.File("log", "b\n");
  EXPECT_EQ(ReadOf(reader), Lines{"log:1 b"});
}

TEST_F(ReaderTest, GoesOnWhenOldFilesAreArchived) {
  tree_.File("log", "a\n");
  Reader reader = Open();
  EXPECT_EQ(ReadOf(reader), Lines{"log:1 a"});
  Rotate("000001");
  tree_.File("log", "b\n");
  Rotate("000002");
  tree_.File("log", "c\n");
  std::filesystem::remove(tree_.At("log.000001"));
  EXPECT_EQ(ReadOf(reader), (Lines{"log.000002:1 b", "log:1 c"}));
}

TEST_F(ReaderTest, RotatesWhileReading) {
  tree_.File("log", "a\n");
  Reader reader = Open();
  std::vector<std::string> texts;
  int rotations = 0;
  // Every line read brings about another file and another line, until it is enough.
  const Status status = reader.ReadNew([&](const Reader::Line& line) {
    texts.emplace_back(line.text);
    if (rotations < 20) {
      ++rotations;
      char number[16];
      std::snprintf(number, sizeof number, "%06d", rotations);
      Append("log", "late" + std::to_string(rotations) + "\n");
      Rotate(number);
      tree_.File("log", "next" + std::to_string(rotations) + "\n");
    }
    return ReadOn::kYes;
  });
  ASSERT_TRUE(status) << status.error().detail;
  EXPECT_EQ(texts.size(), 41u);
  EXPECT_EQ(texts.back(), "next20");
  std::sort(texts.begin(), texts.end());
  EXPECT_EQ(std::unique(texts.begin(), texts.end()), texts.end()) << "nothing is read twice";
}

TEST_F(ReaderTest, StopsWhereItIsToldAndGoesOnThere) {
  tree_.File("log", "a\nb\nc\n");
  Reader reader = Open();
  ASSERT_TRUE(reader.ReadNew([](const Reader::Line&) { return ReadOn::kStop; }));
  EXPECT_EQ(ReadOf(reader), (Lines{"log:2 b", "log:3 c"}));
}

TEST_F(ReaderTest, TakesLongLinesButNotEndlessOnes) {
  const std::string longest(kMaxLine, 'x');
  tree_.File("log", "a\n" + longest + "\n" + longest + "y\nb\n");
  Reader reader = Open();
  std::vector<std::size_t> sizes;
  const auto note = [&](const Reader::Line& line) {
    sizes.push_back(line.text.size());
    return ReadOn::kYes;
  };
  const Status status = reader.ReadNew(note);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kTooLarge);
  EXPECT_NE(status.error().detail.find("line 3 "), std::string::npos) << status.error().detail;
  EXPECT_EQ(sizes, (std::vector<std::size_t>{1, kMaxLine}));
  EXPECT_EQ(ReadOf(reader), Lines{"log:4 b"});  // said once, then passed over
}

TEST_F(ReaderTest, AnEndlessLineThatIsRemovedIsForgotten) {
  tree_.File("log", "a\n" + std::string(3 * kMaxLine, 'x'));
  Reader reader = Open();
  const auto ignore = [](const Reader::Line&) { return ReadOn::kYes; };
  EXPECT_FALSE(reader.ReadNew(ignore));
  EXPECT_TRUE(reader.ReadNew(ignore));
  std::filesystem::resize_file(log(), 2);
  EXPECT_TRUE(reader.ReadNew(ignore));
  Append("log", "b\n");
  EXPECT_EQ(ReadOf(reader), Lines{"log:2 b"});
}

TEST_F(ReaderTest, AShortenedLogIsAnError) {
  tree_.File("log", "a\nb\n");
  Reader reader = Open();
  ReadOf(reader);
  std::filesystem::resize_file(log(), 2);
  const Status status = reader.ReadNew([](const Reader::Line&) { return ReadOn::kYes; });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kIoError);
}

TEST_F(ReaderTest, SkipsToTheLastLinesAcrossFiles) {
  tree_.File("log.000001", "a\nb\n").File("log.000002", "c\n").File("log", "d\ne\ntorn");
  const Lines all{"log.000001:1 a", "log.000001:2 b", "log.000002:1 c", "log:1 d", "log:2 e"};
  for (std::size_t count = 0; count <= 7; ++count) {
    Reader reader = Open();
    ASSERT_TRUE(reader.SkipToLast(count));
    const std::size_t skipped = count < all.size() ? all.size() - count : 0;
    EXPECT_EQ(ReadOf(reader), Lines(all.begin() + static_cast<std::ptrdiff_t>(skipped), all.end()))
        << count;
    EXPECT_EQ(ReadOf(reader), Lines{}) << count;
  }
}

TEST_F(ReaderTest, FollowsAfterSkipping) {
  tree_.File("log.000001", "a\n").File("log", "b\nc\n");
  for (std::size_t count = 0; count <= 3; ++count) {
    Reader reader = Open();
    ASSERT_TRUE(reader.SkipToLast(count));
    EXPECT_EQ(ReadOf(reader).size(), count);
    Append("log", "more\n");
    EXPECT_EQ(ReadOf(reader).size(), 1u);
    std::filesystem::resize_file(log(), 4);
  }
  Reader reader = Open();
  ASSERT_TRUE(reader.SkipToLast(1));
  Rotate("000002");
  tree_.File("log", "d\n");
  EXPECT_EQ(ReadOf(reader), (Lines{"log:2 c", "log:1 d"}));
}

TEST(OlderFileNumber, TakesOnlyTheNamesTheLogGives) {
  EXPECT_EQ(OlderFileNumber("log", "log.000012"), 12u);
  EXPECT_EQ(OlderFileNumber("log", "log.1234567"), 1234567u);
  for (const char* name : {"log", "log.", "log.12", "log.000000", "log.0000012", "log.00001x",
                           "log.-00001", "lag.000001", "log.99999999999999999999", "log000001"}) {
    EXPECT_FALSE(OlderFileNumber("log", name)) << name;
  }
}

}  // namespace
}  // namespace cordon::audit
