#include "base/unicode.h"

#include <gtest/gtest.h>

#include <string>

namespace cordon::unicode {
namespace {

using namespace std::string_literals;

struct Pair {
  std::string a;
  std::string b;
};

TEST(CellWidth, TellsMarksAndWideOnes) {
  EXPECT_EQ(CellWidth(U'a'), 1u);
  EXPECT_EQ(CellWidth(U'é'), 1u);
  EXPECT_EQ(CellWidth(U'\u0301'), 0u);
  EXPECT_EQ(CellWidth(U'日'), 2u);
  EXPECT_EQ(CellWidth(U'🙂'), 2u);
}

TEST(FoldCase, GivesOneKeyToWhatDiffersInCaseOrNormalForm) {
  const Pair pairs[] = {
      {".GIT", ".git"},
      {"\u017Fsh", "SSH"},                     // long s
      {"\u212Aeys", "keys"},                   // Kelvin sign
      {"\u212Bngstrom", "\u00E5ngstrom"},      // Angstrom sign
      {"caf\u00E9", "CAFE\u0301"},             // composed and decomposed
      {"stra\u00DFe", "STRASSE"},              // one letter folds to two
      {"\u1E9E", "ss"},                        // capital sharp s
      {"\uFB00", "FF"},                        // ligature
      {"\u03A3\u03C2", "\u03C3\u03C3"},        // both small sigmas
      {"\u1FB3\u0301", "\u03B1\u0345\u0301"},  // iota below, marks in either order
      {"\U00010400", "\U00010428"},            // beyond the basic plane
      {"q\u0307\u0323", "Q\u0323\u0307"},      // marks in canonical order
      {"\uAC00", "\u1100\u1161"},              // Hangul
      {"\u0130", "i\u0307"},                   // dotted capital I
  };
  for (const auto& [a, b] : pairs) EXPECT_EQ(FoldCase(a), FoldCase(b)) << a << " " << b;
}

TEST(FoldCase, KeepsDifferentNamesApart) {
  const Pair pairs[] = {
      {"\u0131", "i"},         // dotless i is a letter of its own
      {"\uFF0E", "."},         // full-width forms are compatible, not equal
      {"\uFF47it", "git"},     // the same for letters
      {"\u0435nv", "env"},     // Cyrillic look-alike
      {".e\u200Bnv", ".env"},  // a space without width is still there
      {"\u2024git", ".git"},   // one dot leader
  };
  for (const auto& [a, b] : pairs) EXPECT_NE(FoldCase(a), FoldCase(b)) << a << " " << b;
}

TEST(FoldCase, KeepsBytesThatAreNotUtf8) {
  EXPECT_EQ(FoldCase("A\xFF\xC3"
                     "B"),
            "a\xFF\xC3"
            "b");
  EXPECT_EQ(FoldCase("\xED\xA0\x80"), "\xED\xA0\x80");  // a surrogate
  EXPECT_EQ(FoldCase("\xC0\xAE"), "\xC0\xAE");          // an overlong dot
  EXPECT_EQ(FoldCase("\u00C9\xFF\u00C9"),
            "e\u0301\xFF"
            "e\u0301");
  EXPECT_EQ(FoldCase(""), "");
  EXPECT_EQ(FoldCase(std::string("A\0B", 3)), std::string("a\0b", 3));
}

TEST(FoldCase, IsIdempotentForEveryCodePointThatHasCase) {
  for (char32_t c = 1; c <= 0x1FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string text;
    if (c < 0x80) {
      text = {static_cast<char>(c)};
    } else if (c < 0x800) {
      text = {static_cast<char>(0xC0 | (c >> 6)), static_cast<char>(0x80 | (c & 63))};
    } else if (c < 0x10000) {
      text = {static_cast<char>(0xE0 | (c >> 12)), static_cast<char>(0x80 | ((c >> 6) & 63)),
              static_cast<char>(0x80 | (c & 63))};
    } else {
      text = {static_cast<char>(0xF0 | (c >> 18)), static_cast<char>(0x80 | ((c >> 12) & 63)),
              static_cast<char>(0x80 | ((c >> 6) & 63)), static_cast<char>(0x80 | (c & 63))};
    }
    const std::string key = FoldCase(text);
    ASSERT_EQ(FoldCase(key), key) << std::hex << static_cast<unsigned>(c);
  }
}

TEST(FoldCase, OrdersALongRunOfMarksInAMoment) {
  std::string marks = "a";
  std::string ordered = "a";
  for (int i = 0; i < 16000; ++i) marks += i % 2 == 0 ? "\u0301" : "\u0323";
  for (int i = 0; i < 16000; ++i) ordered += i < 8000 ? "\u0323" : "\u0301";
  EXPECT_EQ(FoldCase(marks), ordered);
}

TEST(UpcaseSimple, MapsOneForOne) {
  EXPECT_EQ(UpcaseSimple("scratch\u00E9\u03C3"), "SCRATCH\u00C9\u03A3");
  EXPECT_EQ(UpcaseSimple("\u00DF"), "\u00DF");  // never two letters for one
  EXPECT_EQ(UpcaseSimple("\u017F"), "\u017F");  // never an ASCII letter
  EXPECT_EQ(UpcaseSimple("\u0131"), "\u0131");
  EXPECT_EQ(UpcaseSimple("e\u0301"), "E\u0301");  // no normal form
  EXPECT_EQ(UpcaseSimple("\U00010428"), "\U00010428");
  EXPECT_EQ(UpcaseSimple("a\xFF"), "A\xFF");
}

TEST(IsValidUtf8, TellsGoodFromBad) {
  EXPECT_TRUE(IsValidUtf8(""));
  EXPECT_TRUE(IsValidUtf8("a\u00E9\u65E5\U0001F600"));
  for (const char* bad : {"\xFF", "\x80", "\xC3", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80",
                          "\xF4\x90\x80\x80", "a\xE2\x82"}) {
    EXPECT_FALSE(IsValidUtf8(bad));
  }
}

TEST(ShowsAsItself, IsTrueOfWhatCanBeSeen) {
  for (const char32_t c : U" a~\"\\\u00e9\u0301\u65e5\u0444\U0001F642"s) {
    EXPECT_TRUE(ShowsAsItself(c)) << static_cast<unsigned>(c);
  }
}

TEST(ShowsAsItself, IsFalseOfWhatSteersReordersOrHides) {
  for (char32_t c = 0; c < 0x20; ++c) EXPECT_FALSE(ShowsAsItself(c)) << static_cast<unsigned>(c);
  for (char32_t c = 0x7F; c < 0xA0; ++c) EXPECT_FALSE(ShowsAsItself(c)) << static_cast<unsigned>(c);
  // The block of tags and variation selectors, which carry text unseen.
  for (char32_t c = 0xE0000; c < 0xE1000; ++c) {
    EXPECT_FALSE(ShowsAsItself(c)) << static_cast<unsigned>(c);
  }
  for (const char32_t c : {0x00AD, 0x034F, 0x061C, 0x115F, 0x180E, 0x200B, 0x200F,  0x2028,
                           0x2029, 0x202A, 0x202E, 0x2060, 0x2066, 0x206F, 0x3164,  0xE000,
                           0xFE00, 0xFE0F, 0xFEFF, 0xFFA0, 0xFFF9, 0xFFFB, 0x10FFFF}) {
    EXPECT_FALSE(ShowsAsItself(c)) << static_cast<unsigned>(c);
  }
}

TEST(Utf16Length, CountsUnits) {
  EXPECT_EQ(Utf16Length("abc"), 3U);
  EXPECT_EQ(Utf16Length("\u65E5\u672C"), 2U);
  EXPECT_EQ(Utf16Length("\U0001F600"), 2U);
  EXPECT_EQ(Utf16Length("\xFF"), 1U);
}

TEST(CellWidth, CountsCellsOfATerminal) {
  for (const char32_t narrow : {U'a', U' ', U'\u00e9', U'\u0436', U'\u2026'}) {
    EXPECT_EQ(CellWidth(narrow), 1U) << std::hex << static_cast<unsigned>(narrow);
  }
  for (const char32_t wide : {U'\u65e5', U'\uff21', U'\U0001f642', U'\uac00'}) {
    EXPECT_EQ(CellWidth(wide), 2U) << std::hex << static_cast<unsigned>(wide);
  }
  for (const char32_t none : {U'\u0301', U'\u200b', U'\x1b', U'\0', U'\u202e'}) {
    EXPECT_EQ(CellWidth(none), 0U) << std::hex << static_cast<unsigned>(none);
  }
}

}  // namespace
}  // namespace cordon::unicode
