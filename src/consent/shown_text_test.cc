#include "consent/shown_text.h"

#include <gtest/gtest.h>

#include <map>

namespace cordon::consent {
namespace {

std::string Name(std::string_view text) { return Join(ShowName(text)); }
std::string Preview(std::string_view text) { return Join(ShowPreviewLine(text)); }

TEST(ShowName, LeavesOrdinaryNamesAlone) {
  for (const char* name :
       {"/etc/hosts", "/a b/c", "/日本語", "/naïve", "/e\u0301", "/🙂", "/файл"}) {
    EXPECT_EQ(Name(name), name);
  }
  EXPECT_EQ(Name(""), "");
}

TEST(ShowName, EscapesWhatSteersHidesOrPretends) {
  EXPECT_EQ(Name("a\nb\x1b[2J"), "a\\nb\\x1b[2J");
  EXPECT_EQ(Name("\u202egpj\u200b\ufeff"), "\\u202egpj\\u200b\\ufeff");
  EXPECT_EQ(Name("\xff\x9b"), "\\xff\\x9b");
  EXPECT_EQ(Name("a\\n\"b\""), "a\\\\n\\\"b\\\"");
  EXPECT_EQ(Name(" a  b "), "\\x20a\\x20\\x20b\\x20");
  EXPECT_EQ(Name(" "), "\\x20");
  EXPECT_EQ(Name("a\u00a0b\u3000\u2800\u2003"), "a\\u00a0b\\u3000\\u2800\\u2003");
}

TEST(ShowName, KeepsTwoMarksOnALetterAndNoneElsewhere) {
  EXPECT_EQ(Name("z\u0335\u0335\u0335\u0335"), "z\u0335\u0335\\u0335\\u0335");
  EXPECT_EQ(Name("/\u0301"), "/\\u0301") << "not on what is no letter";
  EXPECT_EQ(Name("\u0301"), "\\u0301");
  EXPECT_EQ(Name("\n\u0301"), "\\n\\u0301") << "not on an escape";
}

TEST(ShowName, GlyphsKnowTheirWidth) {
  for (const Glyph& glyph : ShowName("ab \\\n\x1b")) EXPECT_EQ(glyph.cells, glyph.text.size());
  EXPECT_EQ(ShowName("日")[0].cells, 2U);
  EXPECT_EQ(ShowName("e\u0301")[0].cells, 1U);
  // Some terminals show it in two cells; counted with care.
  EXPECT_EQ(ShowName("ж")[0].cells, 2U);
}

TEST(ShowPreviewLine, KeepsTheLookOfCode) {
  EXPECT_EQ(Preview("    if (a)  \"\\n\""), "    if (a)  \"\\n\"");
  EXPECT_EQ(Preview("\tx\r\x1b\u202e\u3000"), "\\tx\\r\\x1b\\u202e\\u3000");
}

}  // namespace
}  // namespace cordon::consent
