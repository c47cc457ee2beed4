#include "guard/captured_output.h"

#include <gtest/gtest.h>

namespace cordon::guard {
namespace {

TEST(CapturedStream, WhatFitsIsWhole) {
  CapturedStream stream({4, 4});
  stream.Append("abc");
  stream.Append("defgh");
  EXPECT_EQ(stream.From(0).text, "abcdefgh");
  EXPECT_EQ(stream.From(0).missing, 0U);
  EXPECT_EQ(stream.From(5).text, "fgh");
  EXPECT_EQ(stream.From(8).text, "");
  EXPECT_EQ(stream.From(99).text, "");
}

TEST(CapturedStream, TheMiddleGoesFirst) {
  CapturedStream stream({3, 4});
  for (int i = 0; i < 1000; ++i) stream.Append("0123456789");
  const CapturedStream::Part part = stream.From(0);
  EXPECT_EQ(part.end, 10'000U);
  EXPECT_EQ(part.missing, 10'000U - 7);
  EXPECT_TRUE(part.text.starts_with("012\n["));
  EXPECT_TRUE(part.text.ends_with("]\n6789"));
  EXPECT_EQ(stream.From(9'998).text, "89");
  EXPECT_EQ(stream.From(5'000).missing, 10'000U - 4 - 5'000);
}

}  // namespace
}  // namespace cordon::guard
