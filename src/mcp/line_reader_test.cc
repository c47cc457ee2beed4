#include "mcp/line_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <string>

namespace cordon::mcp {
namespace {

// Gives its pieces one by one, then the end.
class Pieces final : public LineStream {
 public:
  explicit Pieces(std::deque<std::string> pieces) : pieces_(std::move(pieces)) {}
  Result<std::size_t> Read(std::span<char> buffer) override {
    ++reads;
    if (pieces_.empty()) return std::size_t{0};
    const std::string piece = std::move(pieces_.front());
    pieces_.pop_front();
    std::copy(piece.begin(), piece.end(), buffer.begin());
    return piece.size();
  }
  bool HasInput() override { return has_come; }
  Status Write(std::string_view /*bytes*/) override { return {}; }

  bool has_come = true;
  int reads = 0;

 private:
  std::deque<std::string> pieces_;
};

TEST(LineReader, TakesInWhatHasCome) {
  Pieces stream({"a\nb", "c\n"});
  LineReader reader(stream, 100);
  std::string line;
  ASSERT_EQ(reader.Next(line), LineReader::Outcome::kLine);
  EXPECT_EQ(line, "a");
  EXPECT_TRUE(reader.HasNext());
  EXPECT_EQ(stream.reads, 2);
  ASSERT_EQ(reader.Next(line), LineReader::Outcome::kLine);
  EXPECT_EQ(line, "bc");
  EXPECT_EQ(stream.reads, 2);
}

TEST(LineReader, DoesNotReadWhereItWouldWait) {
  Pieces stream({"a\nb", "c\n"});
  LineReader reader(stream, 100);
  std::string line;
  ASSERT_EQ(reader.Next(line), LineReader::Outcome::kLine);
  stream.has_come = false;
  EXPECT_FALSE(reader.HasNext());
  EXPECT_EQ(stream.reads, 1);
}

TEST(LineReader, HalfALineThatHasComeIsNone) {
  Pieces stream({"a\n", "b", "c\n"});
  LineReader reader(stream, 100);
  std::string line;
  ASSERT_EQ(reader.Next(line), LineReader::Outcome::kLine);
  EXPECT_FALSE(reader.HasNext());
  ASSERT_EQ(reader.Next(line), LineReader::Outcome::kLine);
  EXPECT_EQ(line, "bc");
}

// A terminal tells its end once, and goes on then.
TEST(LineReader, TheEndIsReadOnce) {
  Pieces stream({"a\n"});
  LineReader reader(stream, 100);
  std::string line;
  ASSERT_EQ(reader.Next(line), LineReader::Outcome::kLine);
  EXPECT_FALSE(reader.HasNext());
  EXPECT_EQ(stream.reads, 2);
  EXPECT_FALSE(reader.HasNext());
  EXPECT_EQ(reader.Next(line), LineReader::Outcome::kEnd);
  EXPECT_EQ(stream.reads, 2);
}

TEST(LineReader, TooLongIsSkippedAlsoWhenItHasCome) {
  Pieces stream({"a\n", "bbbb", "bbbb\nc\n"});
  LineReader reader(stream, 3);
  std::string line;
  ASSERT_EQ(reader.Next(line), LineReader::Outcome::kLine);
  EXPECT_FALSE(reader.HasNext());
  EXPECT_EQ(reader.Next(line), LineReader::Outcome::kTooLong);
  ASSERT_EQ(reader.Next(line), LineReader::Outcome::kLine);
  EXPECT_EQ(line, "c");
}

}  // namespace
}  // namespace cordon::mcp
