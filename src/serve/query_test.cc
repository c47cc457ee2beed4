#include "serve/query.h"

#include <gtest/gtest.h>

namespace cordon::serve {
namespace {

TEST(Query, ReadsPairs) {
  const auto query = Query::Parse("a=1&b=x%20y+z&c&&a=2,3");
  ASSERT_TRUE(query.has_value());
  EXPECT_EQ(query->Text("b"), "x y z");
  EXPECT_EQ(query->Text("c"), "");
  EXPECT_EQ(query->Text("d"), std::nullopt);
  EXPECT_EQ(query->List("a"), (std::vector<std::string>{"1", "2", "3"}));
}

TEST(Query, RefusesWhatCannotBeDecoded) {
  EXPECT_FALSE(Query::Parse("a=%").has_value());
  EXPECT_FALSE(Query::Parse("%g=1").has_value());
}

TEST(Query, NumbersHaveBounds) {
  const auto query = Query::Parse("a=10&b=-1&c=x&d=99999999999999999999&e=");
  ASSERT_TRUE(query.has_value());
  EXPECT_EQ(*query->NumberOr("a", 5, 1, 10), 10U);
  EXPECT_EQ(*query->NumberOr("none", 5, 1, 10), 5U);
  EXPECT_FALSE(query->NumberOr("a", 5, 1, 9).has_value());
  for (const char* name : {"b", "c", "d", "e"}) {
    EXPECT_FALSE(query->NumberOr(name, 5, 0, UINT64_MAX).has_value()) << name;
  }
}

}  // namespace
}  // namespace cordon::serve
