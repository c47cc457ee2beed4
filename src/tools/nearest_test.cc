#include "tools/nearest.h"

#include <gtest/gtest.h>

#include <chrono>

namespace cordon::tools {
namespace {

TEST(Nearest, FindsMovedAndChangedLines) {
  const std::string text = "one\ntwo\nvoid Run() {\n  Start();\n  Stop();\n}\n";
  const auto nearest = FindNearest(text, "void Run() {\n  Start(1);\n  Stop();\n}\n");
  ASSERT_TRUE(nearest);
  EXPECT_EQ(nearest->first_line, 3U);
  EXPECT_EQ(nearest->last_line, 6U);
  EXPECT_EQ(nearest->text, "void Run() {\n  Start();\n  Stop();\n}\n");
  EXPECT_EQ(nearest->difference, "1 of the 4 quoted lines differ");
  EXPECT_NE(nearest->diff.find("-  Start(1);\n+  Start();\n"), std::string::npos) << nearest->diff;
}

TEST(Nearest, FindsAnAlikeLine) {
  const auto nearest = FindNearest("alpha\nint counter = 0;\nomega\n", "int count = 0;");
  ASSERT_TRUE(nearest);
  EXPECT_EQ(nearest->first_line, 2U);
  EXPECT_EQ(nearest->last_line, 2U);
  EXPECT_EQ(FindNearest("a\nHello World\n", "hello world")->difference,
            "it differs only in upper and lower case");
  EXPECT_EQ(FindNearest("f( a, b )\n", "f(a,b)\n")->difference, "it differs only in white space");
}

TEST(Nearest, SaysNothingWhereNothingIsNear) {
  EXPECT_FALSE(FindNearest("", "a"));
  EXPECT_FALSE(FindNearest("alpha\n", "zzzzzz"));
  EXPECT_FALSE(FindNearest("a\n", "\n"));
}

TEST(Nearest, IsBoundedOnHostileTexts) {
  const auto since = std::chrono::steady_clock::now();
  std::string same, quoted;
  for (int line = 0; line < 500'000; ++line) same += "same\n";
  for (int line = 0; line < 100'000; ++line) quoted += "same\n";
  EXPECT_TRUE(FindNearest(same, quoted));
  const auto cut = FindNearest(std::string(8 << 20, 'x') + "\xC3\xA4", std::string(1 << 20, 'x'));
  ASSERT_TRUE(cut);
  EXPECT_LE(cut->text.size(), kMaxNearestBytes);
  EXPECT_LT(std::chrono::steady_clock::now() - since, std::chrono::seconds(20));
}

}  // namespace
}  // namespace cordon::tools
