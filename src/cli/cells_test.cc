#include "cli/cells.h"

#include <gtest/gtest.h>

namespace cordon::cli {
namespace {

TEST(CellWidth, CountsWhatATerminalShows) {
  EXPECT_EQ(CellWidth(""), 0u);
  EXPECT_EQ(CellWidth("abc"), 3u);
  EXPECT_EQ(CellWidth("日本"), 4u);
  EXPECT_EQ(CellWidth("e\u0301"), 1u);
}

TEST(FitMiddle, LeavesWhatFits) {
  EXPECT_EQ(FitMiddle("abc", 3), "abc");
  EXPECT_EQ(FitMiddle("", 0), "");
}

TEST(FitMiddle, KeepsTheEnd) {
  EXPECT_EQ(FitMiddle("/home/you/project/src/main.cc", 15), "/hom.../main.cc");
  EXPECT_EQ(FitMiddle("abcdefgh", 4), "...h");
}

TEST(FitMiddle, IsNeverWider) {
  for (const char* text :
       {"abcdefghijklmnop", "日本語日本語日本語", "a日b本c語d", "éééééééééééé"}) {
    for (std::size_t cells = 0; cells < 24; ++cells) {
      EXPECT_LE(CellWidth(FitMiddle(text, cells)), cells) << text;
    }
  }
}

TEST(Column, IsExactlySoWide) {
  EXPECT_EQ(Column("ab", 4), "ab  ");
  EXPECT_EQ(Column("日本語", 4), "... ");
  for (const char* text : {"", "a", "日本語日本語", "abcdefghijk"}) {
    for (std::size_t cells = 0; cells < 16; ++cells) {
      EXPECT_EQ(CellWidth(Column(text, cells)), cells) << text;
    }
  }
}

}  // namespace
}  // namespace cordon::cli
