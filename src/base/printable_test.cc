#include "base/printable.h"

#include <gtest/gtest.h>

#include <set>

namespace cordon {
namespace {

using namespace std::string_literals;

TEST(Printable, LeavesOrdinaryTextAlone) {
  for (const char* text : {"src/main.cc", "a b", "日本語", "naïve", "файл", "e\u0301", "🙂",
                           "a\\b", "naïve 日本語 🙂", R"(a\b "c")"}) {
    EXPECT_EQ(Printable(text), text);
  }
}

TEST(Printable, WritesControlCharactersOut) {
  EXPECT_EQ(Printable("a\0b"s), "a\\x00b");
  EXPECT_EQ(Printable("a\nb\rc\td"), "a\\nb\\rc\\td");
  EXPECT_EQ(Printable("a\nb\r\t\x1b[31m\x7f"), "a\\nb\\r\\t\\x1b[31m\\x7f");
  EXPECT_EQ(Printable("\x1b[31m"), "\\x1b[31m");
  EXPECT_EQ(Printable("\0\x7f"s), "\\x00\\x7f");
  EXPECT_EQ(Printable("\u0085\u009b"), "\\u0085\\u009b");
}

TEST(Printable, WritesOutWhatReordersOrHides) {
  EXPECT_EQ(Printable("gpj.\u202Eexe"), "gpj.\\u202eexe");
  EXPECT_EQ(Printable("\u202egnp.exe"), "\\u202egnp.exe");
  EXPECT_EQ(Printable("\u2066x\u2069"), "\\u2066x\\u2069");
  EXPECT_EQ(Printable("\u2066\u2069"), "\\u2066\\u2069");
  EXPECT_EQ(Printable(".g\u200Cit"), ".g\\u200cit");
  EXPECT_EQ(Printable("\uFEFF"), "\\ufeff");
  EXPECT_EQ(Printable("a\u200bb\ufeff"), "a\\u200bb\\ufeff");
  EXPECT_EQ(Printable("\u2028\u2029"), "\\u2028\\u2029");
  EXPECT_EQ(Printable("\U000E0041"), "\\U000e0041");
  EXPECT_EQ(Printable("a\U000E0100\U000E01EF"), "a\\U000e0100\\U000e01ef");  // can carry a text
}

TEST(Printable, WritesBytesThatAreNotUtf8Out) {
  EXPECT_EQ(Printable("a\xff"), "a\\xff");
  EXPECT_EQ(Printable("caf\xe9"), "caf\\xe9");
  EXPECT_EQ(Printable("\x9b"
                      "31m"),
            "\\x9b31m");                                    // C1 as one byte
  EXPECT_EQ(Printable("\xc0\xaf"), "\\xc0\\xaf");           // overlong "/"
  EXPECT_EQ(Printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // surrogate
  EXPECT_EQ(Printable("\xe6\x97"), "\\xe6\\x97");           // cut short
  EXPECT_EQ(Printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

TEST(Printable, NeverLetsAControlByteThrough) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string bytes(3, static_cast<char>(byte));
    for (const std::string& text : {Printable(bytes), Quoted(bytes)}) {
      for (const char c : text) {
        EXPECT_GE(static_cast<unsigned char>(c), 0x20) << byte;
        EXPECT_LT(static_cast<unsigned char>(c), 0x7f) << byte;
      }
    }
  }
}

TEST(Printable, CutsWhatIsTooLong) {
  const std::string most(kMaxEchoedBytes, 'a');
  EXPECT_EQ(Printable(std::string(1'000'000, 'a')), most + "... (1000000 bytes)");
  EXPECT_EQ(Printable(std::string(100'000, 'a')), most + "... (100000 bytes)");
  EXPECT_EQ(Printable(most), most);
  EXPECT_EQ(Printable("abc", 3), "abc");
  EXPECT_EQ(Printable(std::string(1'000, 'a'), std::string::npos), std::string(1'000, 'a'));
}

TEST(Printable, NeverCutsACharacterInTwo) {
  const std::string almost(kMaxEchoedBytes - 1, 'a');
  EXPECT_EQ(Printable(almost + "日本語"),
            almost + "日... (" + std::to_string(kMaxEchoedBytes + 8) + " bytes)");
  EXPECT_EQ(Printable(almost + "日"), almost + "日");  // nothing is left to count
  EXPECT_EQ(Printable("äöü", 3), "äö... (6 bytes)");
}

TEST(Printable, DoesNotEscapeTwice) {
  const std::string once = "at " + Quoted("\"\\\n\x1b\u202e\xff");
  EXPECT_EQ(Printable(once), once);
}

TEST(Quoted, CannotBeClosedFromInside) {
  EXPECT_EQ(Quoted("a\" b"), "\"a\\\" b\"");
  EXPECT_EQ(Quoted("a\\\" b"), "\"a\\\\\\\" b\"");
}

TEST(Quoted, MakesDifferentNamesLookDifferent) {
  EXPECT_EQ(Quoted("a b"), "\"a b\"");
  EXPECT_EQ(Quoted("\x1b"), "\"\\x1b\"");
  EXPECT_EQ(Quoted("\\x1b"), "\"\\\\x1b\"");
  EXPECT_EQ(Quoted("\""), "\"\\\"\"");
  const std::set<std::string> names = {"\n",     "\\n",     "\\\\n", "\u009b", "\x9b", "\\u009b",
                                       "\\x9b",  "\u202e",  "",      "\"",     "\\\"", "\\",
                                       "\u00ad", "\\u00ad", "\x1b",  "\\x1b",  "n",    "\xc2"};
  std::set<std::string> shown;
  for (const std::string& name : names) shown.insert(Quoted(name));
  EXPECT_EQ(shown.size(), names.size());
}

TEST(Quoted, TellsOfACutOutsideTheQuotes) {
  EXPECT_EQ(Quoted(std::string(100'000, 'a')),
            '"' + std::string(kMaxEchoedBytes, 'a') + "\"... (100000 bytes)");
  EXPECT_EQ(Quoted("a... (9 bytes)"), "\"a... (9 bytes)\"");
}

}  // namespace
}  // namespace cordon
