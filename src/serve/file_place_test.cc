#include "serve/file_place.h"

#include <gtest/gtest.h>

namespace cordon::serve {
namespace {

std::string Range(const char* header, std::uint64_t size) {
  ByteRange range;
  switch (ParseRange(header, size, range)) {
    case RangeKind::kWhole: return "whole";
    case RangeKind::kUnsatisfiable: return "416";
    case RangeKind::kPart: break;
  }
  return std::to_string(range.first) + "+" + std::to_string(range.count);
}

TEST(ParseRange, OnePart) {
  EXPECT_EQ(Range("bytes=0-0", 10), "0+1");
  EXPECT_EQ(Range("bytes=2-5", 10), "2+4");
  EXPECT_EQ(Range("Bytes=2-", 10), "2+8");
  EXPECT_EQ(Range("bytes=2-99", 10), "2+8");
  EXPECT_EQ(Range("bytes=-3", 10), "7+3");
  EXPECT_EQ(Range("bytes=-30", 10), "0+10");
}

TEST(ParseRange, WhatCannotBe) {
  EXPECT_EQ(Range("bytes=10-", 10), "416");
  EXPECT_EQ(Range("bytes=-0", 10), "416");
  EXPECT_EQ(Range("bytes=0-", 0), "416");
}

TEST(ParseRange, WhatIsNotUnderstoodIsAsIfItWereNotThere) {
  for (const char* header : {"bytes=", "bytes=-", "bytes=a-b", "bytes=5-2", "bytes=0-1,3-4",
                             "lines=0-1", "bytes=1", "bytes=99999999999999999999-", "bytes=1-x"}) {
    EXPECT_EQ(Range(header, 10), "whole") << header;
  }
}

TEST(Conditions, ReadTags) {
  const Digest digest = Sha256("x");
  const auto match = Conditions::Of({{"If-Match", TagOf(digest)}});
  ASSERT_TRUE(match.has_value());
  EXPECT_EQ(match->match, digest);
  EXPECT_TRUE(Conditions::Of({{"If-None-Match", "*"}})->must_be_new);
  EXPECT_FALSE(Conditions::Of({})->match.has_value());
}

// A condition that cannot be read never lets a write through.
TEST(Conditions, RefuseOthers) {
  for (const char* tag : {"", "x", "\"", "\"\"", "\"abc\"", "W/\"1-2\"", "*"}) {
    EXPECT_FALSE(Conditions::Of({{"If-Match", tag}}).has_value()) << tag;
  }
  EXPECT_FALSE(Conditions::Of({{"If-None-Match", "\"x\""}}).has_value());
}

}  // namespace
}  // namespace cordon::serve
