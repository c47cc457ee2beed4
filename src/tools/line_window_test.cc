#include "tools/line_window.h"

#include <gtest/gtest.h>

#include <random>

namespace cordon::tools {
namespace {

struct Cut {
  std::string content;
  std::int64_t last = 0, cut_lines = 0;
  bool stopped = false;
  bool operator==(const Cut&) const = default;
};

Cut Feed(std::string_view text, std::int64_t first, std::int64_t last, const WindowLimits& limits,
         std::size_t piece) {
  LineWindow window(first, last, 1, limits, LineNumbers::kNone);
  while (!text.empty()) {
    const std::string_view next = text.substr(0, piece);
    text.remove_prefix(next.size());
    if (window.Feed(next) == LineWindow::More::kNotWanted) break;
  }
  window.Finish();
  return {window.content(), window.last_line(), window.cut_lines(), window.stopped()};
}

TEST(LineWindow, PiecesDoNotMatter) {
  std::mt19937 random(3);
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    for (unsigned size = random() % 60; size > 0; --size) {
      text += "ab\n\n\xC3\xA9"[random() % 4 == 0 ? 2 : random() % 3];
    }
    const WindowLimits limits{static_cast<std::int64_t>(1 + random() % 6), 1 + random() % 5,
                              1 + random() % 20};
    const auto first = static_cast<std::int64_t>(1 + random() % 5);
    const Cut whole = Feed(text, first, first + 4, limits, text.size() + 1);
    EXPECT_EQ(Feed(text, first, first + 4, limits, 1), whole) << text;
    EXPECT_EQ(Feed(text, first, first + 4, limits, 3), whole) << text;
  }
}

TEST(LineWindow, Limits) {
  const std::string text = "one\ntwo\nthree\nfour\n";
  EXPECT_EQ(Feed(text, 1, 9, {2, 100, 100}, 99), (Cut{"one\ntwo\n", 2, 0, true}));
  EXPECT_EQ(Feed(text, 1, 9, {9, 100, 9}, 99), (Cut{"one\ntwo\n", 2, 0, true}));
  EXPECT_EQ(Feed(text, 1, 2, {9, 100, 100}, 99), (Cut{"one\ntwo\n", 2, 0, false}));
  EXPECT_EQ(Feed(text, 3, 3, {9, 3, 100}, 99), (Cut{"thr [line cut]\n", 3, 1, false}));
  // One line is told even if it alone is more than there is room for.
  EXPECT_EQ(Feed("aaaaaaaa\nb\n", 1, 9, {9, 100, 4}, 99), (Cut{"aaaaaaaa\n", 1, 0, true}));
}

TEST(LineWindow, NoCharacterIsCutInTwo) {
  EXPECT_EQ(Feed("\xC3\xA9\xC3\xA9\xC3\xA9", 1, 1, {9, 2, 100}, 1).content,
            "\xC3\xA9\xC3\xA9 [line cut]");
}

}  // namespace
}  // namespace cordon::tools
