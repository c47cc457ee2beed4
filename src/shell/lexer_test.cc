#include "shell/lexer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace cordon::shell {
namespace {

using testing::ElementsAre;

std::vector<std::string> Texts(std::string_view text) {
  std::vector<std::string> texts;
  const auto tokens = Lexer(text).Tokens();
  if (!tokens) return {"(unreadable)"};
  for (const Token& token : *tokens) {
    std::string told(token.descriptor);
    told += token.text;
    texts.push_back(told);
  }
  return texts;
}

TEST(LexerTest, CutsAtBlanksAndOperators) {
  EXPECT_THAT(Texts("a b;c&&d|e"), ElementsAre("a", "b", ";", "c", "&&", "d", "|", "e"));
  EXPECT_THAT(Texts("a\\ b 'c d' \"e f\"g"), ElementsAre("a\\ b", "'c d'", "\"e f\"g"));
  EXPECT_THAT(Texts("a #b\nc#d"), ElementsAre("a", "\n", "c#d"));
}

TEST(LexerTest, KnowsRedirections) {
  EXPECT_THAT(Texts("a 2>b <>c {fd}>>d e2>f"),
              ElementsAre("a", "2>", "b", "<>", "c", "{fd}>>", "d", "e2", ">", "f"));
  EXPECT_THAT(Texts("a >"), ElementsAre("(unreadable)"));
}

TEST(LexerTest, KeepsSubstitutionsWhole) {
  EXPECT_THAT(Texts("$(a; b) `c d` <(e f) ${g:-h i}"),
              ElementsAre("$(a; b)", "`c d`", "<(e f)", "${g:-h i}"));
  EXPECT_THAT(Texts("$(case x in a) b;; esac) c"), ElementsAre("$(case x in a) b;; esac)", "c"));
  EXPECT_THAT(Texts("$(a # )\n) b"), ElementsAre("$(a # )\n)", "b"));
  EXPECT_THAT(Texts("$$(a)"), ElementsAre("$$", "(", "a", ")"));
}

TEST(LexerTest, TakesTheBodyOfAHereDocument) {
  const auto tokens = Lexer("cat <<E x\nbody\nE\nls").Tokens();
  ASSERT_TRUE(tokens);
  ASSERT_EQ(tokens->size(), 5U);
  EXPECT_EQ((*tokens)[1].kind, TokenKind::kHereText);
  EXPECT_EQ((*tokens)[1].body, "body\n");
  EXPECT_EQ((*tokens)[1].quoting, BodyQuoting::kExpanded);
  EXPECT_EQ((*tokens)[4].text, "ls");
  const auto quoted = Lexer("cat <<'E'\nx\nE").Tokens();
  ASSERT_TRUE(quoted);
  EXPECT_EQ((*quoted)[1].quoting, BodyQuoting::kLiteral);
}

TEST(LexerTest, RefusesWhatIsNotClosed) {
  for (const std::string_view text : {"'a", "\"a", "$(a", "`a", "${a", "$((1", "<(a", "[[ a"}) {
    EXPECT_FALSE(Lexer(text).Tokens()) << text;
  }
}

TEST(LexerTest, GivesUpOnWhatIsNestedTooDeepAndSoonOnWhatIsMeantToTakeLong) {
  std::string deep;
  for (int i = 0; i < kMaxNesting + 1; ++i) deep += "$(";
  deep += "a";
  for (int i = 0; i < kMaxNesting + 1; ++i) deep += ")";
  EXPECT_FALSE(Lexer(deep).Tokens());
  std::string slow;
  for (int i = 0; i < 20'000; ++i) slow += "$((a ";
  const auto before = std::chrono::steady_clock::now();
  EXPECT_FALSE(Lexer(slow).Tokens());
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(5));
}

TEST(LexerTest, TellsAssignments) {
  std::size_t value = 0;
  EXPECT_TRUE(IsAssignment("a=b", value));
  EXPECT_EQ(value, 2U);
  EXPECT_TRUE(IsAssignment("a_1+=b", value));
  EXPECT_TRUE(IsAssignment("a[0]=b", value));
  EXPECT_FALSE(IsAssignment("1a=b", value));
  EXPECT_FALSE(IsAssignment("a-b=c", value));
  EXPECT_FALSE(IsAssignment("=a", value));
}

}  // namespace
}  // namespace cordon::shell
