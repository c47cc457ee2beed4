#include "shell/quoting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cordon::shell {
namespace {

using testing::ElementsAre;
using testing::Optional;
using testing::SizeIs;

TEST(QuotingTest, DecodesAnsiQuotes) {
  EXPECT_EQ(DecodeAnsiQuotes("\\x2eenv"), ".env");
  EXPECT_EQ(DecodeAnsiQuotes("\\056env\\t\\'\\\\"), ".env\t'\\");
  EXPECT_EQ(DecodeAnsiQuotes("\\u00e9\\U1f600"), "\xc3\xa9\xf0\x9f\x98\x80");
  EXPECT_EQ(DecodeAnsiQuotes("a\\x00b"), "a");  // as in bash, a NUL ends it
  EXPECT_EQ(DecodeAnsiQuotes("\\q\\xz\\"), "\\q\\xz\\");
}

TEST(QuotingTest, DecodesBackquotes) {
  EXPECT_EQ(DecodeBackquotes("a \\`b\\` \\$c \\\\ \\d \\\"", Around::kNothing),
            "a `b` $c \\ \\d \\\"");
  EXPECT_EQ(DecodeBackquotes("\\\"", Around::kDoubleQuotes), "\"");
}

TEST(QuotingTest, ExpandsBraces) {
  EXPECT_THAT(ExpandBraces("a{b,c}d"), Optional(ElementsAre("abd", "acd")));
  EXPECT_THAT(ExpandBraces("{a,b{c,d}}"), Optional(ElementsAre("a", "bc", "bd")));
  EXPECT_THAT(ExpandBraces("{a,b}{c,d}"), Optional(ElementsAre("ac", "ad", "bc", "bd")));
  EXPECT_THAT(ExpandBraces("{3..1}"), Optional(ElementsAre("3", "2", "1")));
  EXPECT_THAT(ExpandBraces("{08..10..2}"), Optional(ElementsAre("08", "10")));
  EXPECT_THAT(ExpandBraces("{a..c}"), Optional(ElementsAre("a", "b", "c")));
}

TEST(QuotingTest, LeavesOtherBracesAlone) {
  for (const char* word : {"{a}", "{}", "{a", "a}", "'{a,b}'", "\"{a,b}\"", "\\{a,b}", "${a,b}",
                           "$(a {b,c})", "{1..b}"}) {
    EXPECT_THAT(ExpandBraces(word), Optional(ElementsAre(word)));
  }
}

TEST(QuotingTest, GivesUpOnTooManyWords) {
  EXPECT_FALSE(ExpandBraces("{1..100000}"));
  std::string many;
  for (int i = 0; i < 40; ++i) many += "{a,b}";
  EXPECT_FALSE(ExpandBraces(many));
  EXPECT_FALSE(ExpandBraces(std::string(200'000, '{')));
}

}  // namespace
}  // namespace cordon::shell
