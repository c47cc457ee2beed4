#include "cli/terminal_text.h"

#include <gtest/gtest.h>

namespace cordon::cli {
namespace {

using namespace std::string_literals;

TEST(TerminalText, LeavesOrdinaryTextAlone) {
  EXPECT_EQ(TerminalText("src/main.cc"), "src/main.cc");
  EXPECT_EQ(TerminalText("naïve 日本語 🙂"), "naïve 日本語 🙂");
  EXPECT_EQ(TerminalText(R"(a\b "c")"), R"(a\b "c")");
}

TEST(TerminalText, EscapesControls) {
  EXPECT_EQ(TerminalText("a\nb\rc\td"), "a\\nb\\rc\\td");
  EXPECT_EQ(TerminalText("\x1b[31m"), "\\x1b[31m");
  EXPECT_EQ(TerminalText("\0\x7f"s), "\\x00\\x7f");
  EXPECT_EQ(TerminalText("\u0085\u009b"), "\\u0085\\u009b");
}

TEST(TerminalText, EscapesWhatReordersOrHides) {
  EXPECT_EQ(TerminalText("\u202egnp.exe"), "\\u202egnp.exe");
  EXPECT_EQ(TerminalText("\u2066\u2069"), "\\u2066\\u2069");
  EXPECT_EQ(TerminalText("a\u200bb\ufeff"), "a\\u200bb\\ufeff");
  EXPECT_EQ(TerminalText("\u2028\u2029"), "\\u2028\\u2029");
  EXPECT_EQ(TerminalText("\U000e0041"), "\\U000e0041");
}

TEST(TerminalText, EscapesBytesThatAreNotUtf8) {
  EXPECT_EQ(TerminalText("caf\xe9"), "caf\\xe9");
  EXPECT_EQ(TerminalText("\x9b"
                         "31m"),
            "\\x9b31m");  // C1 as one byte
  EXPECT_EQ(TerminalText("\xc0\xaf"), "\\xc0\\xaf");
}

TEST(TerminalText, NeverLetsAControlByteThrough) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text = TerminalText(std::string(3, static_cast<char>(byte)));
    for (const char c : text) {
      EXPECT_GE(static_cast<unsigned char>(c), 0x20) << byte;
      EXPECT_LT(static_cast<unsigned char>(c), 0x7f) << byte;
    }
  }
}

TEST(TerminalText, CutsAtACharacterAndSaysSo) {
  EXPECT_EQ(TerminalText("äöü", 3), "äö... (6 bytes)");
  EXPECT_EQ(TerminalText("abc", 3), "abc");
  const std::string shown = TerminalText(std::string(100'000, 'a'));
  EXPECT_EQ(shown, std::string(kMaxShownBytes, 'a') + "... (100000 bytes)");
}

TEST(Quoted, MakesDifferentNamesLookDifferent) {
  EXPECT_EQ(Quoted("a b"), "\"a b\"");
  EXPECT_EQ(Quoted("\x1b"), "\"\\x1b\"");
  EXPECT_EQ(Quoted("\\x1b"), "\"\\\\x1b\"");
  EXPECT_EQ(Quoted("\""), "\"\\\"\"");
}

TEST(JsonForTerminal, EscapesInsideStringsOnly) {
  EXPECT_EQ(JsonForTerminal("{\"a\":\"\u202e\x7f\"}"), "{\"a\":\"\\u202e\\u007f\"}");
  EXPECT_EQ(JsonForTerminal("\"\U000e0041\""), "\"\\udb40\\udc41\"");
  EXPECT_EQ(JsonForTerminal("\"日本語\""), "\"日本語\"");
}

}  // namespace
}  // namespace cordon::cli
