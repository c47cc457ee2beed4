#include "tools/match.h"

#include <gtest/gtest.h>

#include <chrono>

namespace cordon::tools {
namespace {

// The text after the replacement, or what kept it from being one.
std::string Made(std::string_view text, std::string_view old_text, std::string_view new_text) {
  const Found found = FindPlaces(text, old_text, new_text, 100);
  if (found.count != 1) return std::to_string(found.count) + " places";
  FlatText flat(text);
  flat.Splice(found.places);
  return std::string(MatchPassName(found.pass)) + ": " + flat.Restore();
}

TEST(Match, ExactComesFirst) {
  EXPECT_EQ(Made("foo bar\n", "bar", "x"), "exact: foo x\n");
  EXPECT_EQ(Made("foo\nfoo \n", "foo\n", "x\n"), "exact: x\nfoo \n");
  EXPECT_EQ(Made("a\nb", "a\nb", ""), "exact: ");
  EXPECT_EQ(Made("abc", "abcd", "x"), "0 places");
}

TEST(Match, CountsWhatOverlaps) {
  const Found found = FindPlaces("aaaa", "aa", "b", 100);
  EXPECT_EQ(found.count, 3U);
  EXPECT_EQ(found.disjoint, 2U);
  EXPECT_EQ(found.places.size(), 2U);
  EXPECT_EQ(FindPlaces("aaaa", "a", "b", 3).places.size(), 3U);
}

TEST(Match, BlanksAtLineEnds) {
  EXPECT_EQ(Made("a  \nb\t\nc\n", "a\nb\n", "x\n"), "trailing_whitespace: x\nc\n");
  EXPECT_EQ(Made("a\nb\nc\n", "a \nb ", "x"), "trailing_whitespace: x\nc\n");
  // What both begin or end with stays as the file has it.
  EXPECT_EQ(Made("a  \nb\t\nc \n", "a\nb\nc\n", "a\nB\nc\n"), "trailing_whitespace: a  \nB\nc \n");
  EXPECT_EQ(Made("a \nb", "a\nb\n", "a\nx\n"), "trailing_whitespace: a \nx");
}

TEST(Match, Indentation) {
  EXPECT_EQ(Made("{\n    a();\n    b();\n}\n", "a();\nb();\n", "c();\nif\n  d();\n"),
            "indentation: {\n    c();\n    if\n      d();\n}\n");
  EXPECT_EQ(Made("{\n  a();\n}\n", "        a();\n", "        b();\n          c();\n"),
            "indentation: {\n  b();\n    c();\n}\n");
  EXPECT_EQ(Made("{\n\ta();\n\t\tb();\n}\n", "    a();\n        b();\n",
                 "    x();\n        y();\n            z();\n"),
            "indentation: {\n\tx();\n\t\ty();\n\t\t\tz();\n}\n");
  // Less than anything quoted.
  EXPECT_EQ(Made("if:\n    a\n", "        a\n", "b\n"), "indentation: if:\nb\n");
  EXPECT_EQ(Made("      a\n      c\n", "  a\n  c\n", "b\n"), "indentation:     b\n");
}

TEST(Match, Punctuation) {
  EXPECT_EQ(Made("say \u201Chi\u201D \u2014 it\u2019s\n", "it's", "it is"),
            "punctuation: say \u201Chi\u201D \u2014 it is\n");
  EXPECT_EQ(Made("a \u201Cb\u201D c d\n", "\"b\" c d", "\"b\" c e"),
            "punctuation: a \u201Cb\u201D c e\n");
  EXPECT_EQ(Made("  x\u00A0= \u2018y\u2019\n  z\n", "x = 'y'\nz\n", "x = 'w'\nz\n"),
            "punctuation:   x = 'w'\n  z\n");
}

TEST(Match, PlacesDoNotOverlapAtTheEnd) {
  FlatText flat("x\na \na ");
  flat.Splice(FindPlaces(flat.text(), "a\n", "", 10).places);
  EXPECT_EQ(flat.Restore(), "x\n");
}

TEST(Match, BlankQuotationsAreOnlyTakenExactly) {
  EXPECT_EQ(Made("a\n\t\nb\n", " \n", "x\n"), "0 places");
  EXPECT_EQ(Made("a\n \nb\n", " \n", "x\n"), "exact: a\nx\nb\n");
}

TEST(Match, HostileTextsTakeLinearTime) {
  const auto since = std::chrono::steady_clock::now();
  std::string text(4 << 20, 'a');
  std::string wanted(1 << 20, 'a');
  wanted += 'b';
  EXPECT_EQ(FindPlaces(text, wanted, "", 10).count, 0U);
  std::string lines, some;
  for (int line = 0; line < 400'000; ++line) lines += "a \n";
  for (int line = 0; line < 100'000; ++line) some += "a\n";
  EXPECT_EQ(FindPlaces(lines, some + "b\n", "", 10).count, 0U);
  EXPECT_EQ(FindPlaces(lines, some, "", 10).count, 300'001U);
  EXPECT_LT(std::chrono::steady_clock::now() - since, std::chrono::seconds(20));
}

}  // namespace
}  // namespace cordon::tools
