#include "tools/edit_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>
#include <chrono>
#include <random>

namespace cordon::tools {
namespace {

using ::testing::HasSubstr;

constexpr auto kRegex = TextEdit::Form::kRegex;

// The new text, or the code of the error.
std::string Made(std::string_view text, const std::vector<TextEdit>& edits) {
  const auto edited = ApplyEdits(text, edits);
  return edited ? edited->text : std::string(ErrorCodeName(edited.error().error.code));
}
TextEdit All(std::string_view old_text, std::string_view new_text,
             TextEdit::Form form = TextEdit::Form::kLiteral) {
  return {old_text, new_text, form, std::nullopt};
}

TEST(EditText, OneAfterTheOther) {
  EXPECT_EQ(Made("a b c", {{"a", "x"}, {"x b", "y"}}), "y c");
  EXPECT_EQ(Made("a b c", {{"a", "x"}, {"a", "y"}}), "NO_MATCH");
  EXPECT_EQ(Made("a b c", {{"a", "x"}, {"c", "c"}}), "INVALID_ARGUMENTS");
  EXPECT_EQ(Made("a b c", {{"", "x"}}), "INVALID_ARGUMENTS");
  EXPECT_EQ(Made("a", {{"a", "b"}, {"b", "a"}}), "INVALID_ARGUMENTS");
}

TEST(EditText, HowOften) {
  EXPECT_EQ(Made("aXbXc", {{"X", "-"}}), "AMBIGUOUS_MATCH");
  EXPECT_EQ(Made("aXbXc", {All("X", "-")}), "a-b-c");
  EXPECT_EQ(Made("aXbXc", {{"X", "-", TextEdit::Form::kLiteral, 2}}), "a-b-c");
  EXPECT_EQ(Made("aXbXc", {{"X", "-", TextEdit::Form::kLiteral, 3}}), "NO_MATCH");
  EXPECT_EQ(Made("aaa", {{"aa", "b"}}), "AMBIGUOUS_MATCH");
  EXPECT_EQ(Made("aaa", {All("aa", "b")}), "ba");
  const auto failed = ApplyEdits("x\ny\nx\n\nx", std::vector<TextEdit>{{"y", "z"}, {"x", "z"}});
  ASSERT_FALSE(failed);
  EXPECT_EQ(boost::json::serialize(failed.error().data),
            R"({"matches":3,"expected":1,"lines":[1,3,5],"edit":2})");
  EXPECT_THAT(failed.error().advice, HasSubstr("edit 2 of 2"));
  EXPECT_THAT(failed.error().advice, HasSubstr("3 places match, at line 1, 3, 5"));
}

TEST(EditText, TheNearestCandidateIsShown) {
  const auto failed =
      ApplyEdits("one\nint main(void)\ntwo\n", std::vector<TextEdit>{{"int main()", "x"}});
  ASSERT_FALSE(failed);
  const auto& candidate = failed.error().data.at("candidate").as_object();
  EXPECT_EQ(candidate.at("first_line").as_uint64(), 2U);
  EXPECT_EQ(candidate.at("text").as_string(), "int main(void)\n");
  EXPECT_THAT(failed.error().advice, HasSubstr("-int main()"));
  EXPECT_THAT(failed.error().advice, HasSubstr("+int main(void)"));
}

TEST(EditText, LineEndsStay) {
  EXPECT_EQ(Made("a\r\nb\r\nc", {{"a\nb", "x\ny\nz"}}), "x\r\ny\r\nz\r\nc");
  EXPECT_EQ(Made("a\nb\n", {{"a\r\nb", "x\r\ny"}}), "x\ny\n");
  EXPECT_EQ(Made("a\r\nb\nc\r\n", {{"b", "x\ny"}}), "a\r\nx\ny\nc\r\n");
  EXPECT_EQ(Made("a", {{"a", "x\r\ny"}}), "x\r\ny");
  EXPECT_EQ(Made("a\r\nb\r\n", {{"a.b", "x", kRegex}}), "NO_MATCH");
  EXPECT_EQ(Made("a\r\nb\r\n", {{"a\\nb", "x\ny", kRegex}}), "x\r\ny\r\n");
}

TEST(EditText, RegularExpressions) {
  EXPECT_EQ(Made("f(1, 2)", {{R"(f\((\d), (\d)\))", R"(g(\2, \1) $1 \\)", kRegex}}),
            R"(g(2, 1) $1 \)");
  EXPECT_EQ(Made("a\nb\n", {All("^", "> ", kRegex)}), "> a\n> b\n> ");
  EXPECT_EQ(Made("a\nb\n", {All("$", ";", kRegex)}), "a;\nb;\n;");
  EXPECT_EQ(Made("aXbX", {{"X", "-", kRegex}}), "AMBIGUOUS_MATCH");
  EXPECT_EQ(Made("xxa", {All("x*", "-", kRegex)}), "-a-");
  EXPECT_EQ(Made("\u00E4\u00F6", {All("", "-", kRegex)}), "INVALID_ARGUMENTS");
  EXPECT_EQ(Made("\u00E4\u00F6", {All("x*", "-", kRegex)}), "-\u00E4-\u00F6-");
  EXPECT_EQ(Made("a", {{"(", "x", kRegex}}), "INVALID_ARGUMENTS");
  EXPECT_EQ(Made("a", {{"a", "\\1", kRegex}}), "INVALID_ARGUMENTS");
  EXPECT_EQ(Made("a", {{"a", "\\n", kRegex}}), "INVALID_ARGUMENTS");
  EXPECT_EQ(Made("\u00E4", {{"\\C\\C", "x", kRegex}}), "x");
  EXPECT_EQ(Made("\u00E4", {All("\\C", "\u00E4x\\0", kRegex)}), "NOT_TEXT");
  EXPECT_EQ(Made("a", {{"a", "a", kRegex}}), "INVALID_ARGUMENTS");
  EXPECT_EQ(Made("a", {{"(((a{100}){100}){100})", "a", kRegex}}), "LIMIT_EXCEEDED");
  EXPECT_EQ(Made("a", {{std::string(40'000, 'a'), "a", kRegex}}), "TOO_LARGE");
}

TEST(EditText, SaysWhereTheNewTextIs) {
  const auto edited = ApplyEdits(
      "a\nb\nc\nd\n", std::vector<TextEdit>{{"d", "x\ny"}, {"a\n", "1\n2\n3\n"}, {"b\n", ""}});
  ASSERT_TRUE(edited);
  EXPECT_EQ(edited->text, "1\n2\n3\nc\nx\ny\n");
  EXPECT_EQ(edited->edits[0].lines[0].first, 5U);
  EXPECT_EQ(edited->edits[0].lines[0].last, 6U);
  EXPECT_EQ(edited->edits[1].lines[0].first, 1U);
  EXPECT_EQ(edited->edits[1].lines[0].last, 3U);
  EXPECT_EQ(edited->edits[2].lines[0].first, 4U);
}

TEST(EditText, GrowsNoFurtherThanAFileMay) {
  const std::string many(1 << 20, 'a'), large(1 << 20, 'b');
  EXPECT_EQ(Made(many, {All("a", large)}), "TOO_LARGE");
  EXPECT_EQ(Made(many, {All("a", large, kRegex)}), "LIMIT_EXCEEDED");
  const std::string text(8 << 20, 'x');
  EXPECT_EQ(Made(text, std::vector<TextEdit>(200, {"x", "y"})), "LIMIT_EXCEEDED");
}

// Replaces as a person would who sees only "\n" and keeps each line's end with its line.
std::string Naive(std::string text, std::string_view old_text, std::string_view new_text,
                  std::optional<std::size_t> expected) {
  std::size_t count = 0, overlapping = 0;
  for (std::size_t at = 0; (at = text.find(old_text, at)) != std::string::npos; ++at) ++overlapping;
  std::string made;
  std::size_t at = 0;
  for (std::size_t next; (next = text.find(old_text, at)) != std::string::npos; ++count) {
    made += text.substr(at, next - at).append(new_text);
    at = next + old_text.size();
  }
  made += text.substr(at);
  if (expected && (expected == 1 ? overlapping : count) != *expected) return "refused";
  return count == 0 ? "refused" : made;
}

TEST(EditText, DoesWhatTheNaiveModelDoes) {
  std::mt19937 random(7);
  const auto text_of = [&](std::size_t most, std::string_view letters) {
    std::string text;
    for (std::size_t length = random() % (most + 1); length > 0; --length) {
      text += letters[random() % letters.size()];
    }
    return text;
  };
  int done = 0;
  for (int round = 0; round < 20'000; ++round) {
    const std::string text = text_of(30, "aab\n");
    const std::string old_text = "a" + text_of(3, "ab\n");  // not blank: only exact ones
    const std::string new_text = text_of(4, "abX\n");
    const auto expected =
        random() % 2 == 0 ? std::optional<std::size_t>(1 + random() % 2) : std::nullopt;
    const std::string naive = Naive(text, old_text, new_text, expected);
    const auto edited = ApplyEdits(
        text, std::vector<TextEdit>{{old_text, new_text, TextEdit::Form::kLiteral, expected}});
    if (!edited && text.find(old_text) != std::string::npos) {
      EXPECT_TRUE(naive == "refused" || naive == text)
          << text << "|" << old_text << "|" << new_text;
    }
    if (!edited || edited->edits[0].pass != MatchPass::kExact) continue;
    ++done;
    EXPECT_EQ(edited->text, naive) << text << "|" << old_text << "|" << new_text;
    // The same with the other kind of line ends.
    std::string windows, wanted;
    for (const char c : text) windows += c == '\n' ? "\r\n" : std::string(1, c);
    for (const char c : naive) wanted += c == '\n' ? "\r\n" : std::string(1, c);
    if (text.find('\n') == std::string::npos) continue;
    EXPECT_EQ(Made(windows, {{old_text, new_text, TextEdit::Form::kLiteral, expected}}), wanted);
  }
  EXPECT_GT(done, 2000);
}

TEST(EditText, HostilePatternsEnd) {
  const auto since = std::chrono::steady_clock::now();
  const std::string text(1 << 20, 'a');
  EXPECT_EQ(Made(text, {{"(a+)+b", "x", kRegex}}), "NO_MATCH");
  EXPECT_EQ(Made(text, {{"(a|a)*b", "x", kRegex}}), "NO_MATCH");
  EXPECT_LT(std::chrono::steady_clock::now() - since, std::chrono::seconds(30));
}

}  // namespace
}  // namespace cordon::tools
