#include "tools/flat_text.h"

#include <gtest/gtest.h>

#include <random>

namespace cordon::tools {
namespace {

std::string Spliced(std::string_view text, std::vector<Replaced> changes) {
  FlatText flat(text);
  flat.Splice(changes);
  return flat.Restore();
}

TEST(FlatText, RestoresAnyBytes) {
  for (const std::string_view text :
       {"", "a", "\n", "\r\n", "\r", "\r\r\n", "a\r\nb\nc\r\n", "a\rb\n\r", "\n\n\r\n\n"}) {
    EXPECT_EQ(FlatText(text).Restore(), text);
  }
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (std::size_t length = random() % 20; length > 0; --length) text += "ab\r\n"[random() % 4];
    EXPECT_EQ(FlatText(text).Restore(), text);
  }
}

TEST(FlatText, NewLinesEndAsThoseInTheirPlace) {
  // Flat: a\nb\nc\n
  EXPECT_EQ(Spliced("a\r\nb\nc\r\n", {{2, 3, "x"}}), "a\r\nx\nc\r\n");
  EXPECT_EQ(Spliced("a\r\nb\nc\r\n", {{0, 2, "x\ny\n"}}), "x\r\ny\r\nb\nc\r\n");
  EXPECT_EQ(Spliced("a\r\nb\nc\r\n", {{0, 4, "x\ny\n"}}), "x\r\ny\nc\r\n");
  EXPECT_EQ(Spliced("a\r\nb\nc\r\n", {{3, 3, "\nmore"}}), "a\r\nb\nmore\nc\r\n");
  EXPECT_EQ(Spliced("a\r\nb\r\n", {{4, 4, "c\n"}}), "a\r\nb\r\nc\r\n");
  EXPECT_EQ(Spliced("a\nb\r\nc\n", {{0, 6, ""}}), "");
}

TEST(FlatText, LinesThatStayKeepTheirEnds) {
  // A line is put between two that the change only repeats.
  EXPECT_EQ(Spliced("a\nb\r\nc\n", {{0, 6, "a\nnew\nb\nc\n"}}), "a\nnew\r\nb\r\nc\n");
}

TEST(FlatText, ATextOfOneLineTakesTheEndsItIsGiven) {
  FlatText flat("a");
  flat.FollowIfAlone("x\r\ny");
  const Replaced change{0, 1, "x\ny"};
  flat.Splice({&change, 1});
  EXPECT_EQ(flat.Restore(), "x\r\ny");
}

TEST(FlatText, CountsLines) {
  const std::size_t at[] = {0, 1, 2, 5};
  EXPECT_EQ(LinesAt("a\nb\n\nc", at), (std::vector<std::size_t>{1, 1, 2, 4}));
}

}  // namespace
}  // namespace cordon::tools
