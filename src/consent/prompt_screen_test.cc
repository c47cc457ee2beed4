#include "consent/prompt_screen.h"

#include <gtest/gtest.h>

namespace cordon::consent {
namespace {

using Lines = std::vector<std::string>;
constexpr platform::WindowSize kWindow{80, 24};

TEST(PromptScreen, PrintsBelowWhatIsThere) {
  PromptScreen screen;
  EXPECT_EQ(screen.Draw({"a", "b", "c"}, kWindow), "\r\na\r\nb\r\nc");
}

TEST(PromptScreen, ChangesOnlyWhatChanged) {
  PromptScreen screen;
  static_cast<void>(screen.Draw({"a", "b", "c"}, kWindow));
  EXPECT_EQ(screen.Draw({"a", "B", "c"}, kWindow), "\x1b[1A\r\x1b[JB\r\nc");
  EXPECT_EQ(screen.Draw({"a", "B", "C"}, kWindow), "\r\x1b[JC");
  EXPECT_EQ(screen.Draw({"a", "B", "C"}, kWindow), "");
}

TEST(PromptScreen, PrintsAnewAfterAResize) {
  PromptScreen screen;
  static_cast<void>(screen.Draw({"a", "b"}, kWindow));
  EXPECT_EQ(screen.Draw({"a", "b"}, {40, 24}), "\r\na\r\nb");
  EXPECT_EQ(screen.Draw({"a", "B"}, {40, 24}), "\r\x1b[JB");
  EXPECT_EQ(screen.Finish({"done"}, {41, 24}), "\r\ndone\r\n");
}

TEST(PromptScreen, PrintsAnewWhatHasScrolledAway) {
  PromptScreen screen;
  constexpr platform::WindowSize kLow{80, 2};
  static_cast<void>(screen.Draw({"a", "b", "c"}, kLow));
  EXPECT_EQ(screen.Draw({"a", "B", "c"}, kLow), "\x1b[1A\r\x1b[JB\r\nc");
  EXPECT_EQ(screen.Draw({"A", "B", "c"}, kLow), "\r\nA\r\nB\r\nc");
  EXPECT_EQ(screen.Finish({"done"}, kLow), "\r\ndone\r\n");
}

TEST(PromptScreen, FinishesInThePlaceOfThePrompt) {
  PromptScreen screen;
  static_cast<void>(screen.Draw({"a", "b", "c"}, kWindow));
  EXPECT_EQ(screen.Finish({"done"}, kWindow), "\x1b[2A\r\x1b[Jdone\r\n");
  EXPECT_EQ(screen.Finish({"done"}, kWindow), "\r\ndone\r\n") << "nothing is drawn any more";
}

}  // namespace
}  // namespace cordon::consent
