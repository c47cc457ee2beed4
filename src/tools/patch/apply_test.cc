#include "tools/patch/apply.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>
#include <chrono>
#include <random>

#include "tools/diff.h"
#include "tools/patch/codex_patch.h"
#include "tools/patch/unified_patch.h"

namespace cordon::tools {
namespace {

std::string Applied(std::string_view text, const Result<Patch>& patch) {
  if (!patch) return patch.error().detail;
  const auto patched = ApplyHunks(text, patch->files[0].hunks);
  if (!patched) return std::string(ErrorCodeName(patched.error().error.code));
  std::string how;
  for (const HunkDone& hunk : patched->hunks) {
    if (hunk.pass != MatchPass::kExact) how += "(" + std::string(MatchPassName(hunk.pass)) + ")";
    if (hunk.offset != 0) how += "(" + std::to_string(hunk.offset) + ")";
  }
  return how + patched->text;
}
std::string Codex(std::string_view text, std::string_view hunks) {
  const std::string patch =
      "*** Begin Patch\n*** Update File: f\n" + std::string(hunks) + "*** End Patch\n";
  return Applied(text, ParseCodexPatch(patch));
}
std::string Unified(std::string_view text, std::string_view hunks) {
  const FlatText patch("--- f\n+++ f\n" + std::string(hunks));
  return Applied(text, ParseUnifiedPatch(patch));
}

TEST(ApplyCodex, ContextAndAnchors) {
  EXPECT_EQ(Codex("a\nb\nc\n", "@@\n a\n-b\n+x\n+y\n c\n"), "a\nx\ny\nc\n");
  EXPECT_EQ(Codex("f:\n  x\ng:\n  x\n", "@@ g:\n-  x\n+  y\n"), "f:\n  x\ng:\n  y\n");
  EXPECT_EQ(Codex("A\n f\n  x\nB\n f\n  x\n", "@@ B\n@@  f\n-  x\n+  y\n"),
            "A\n f\n  x\nB\n f\n  y\n");
  EXPECT_EQ(Codex("f:\n  x\n", "@@ f:\n+  new\n"), "f:\n  new\n  x\n");
  EXPECT_EQ(Codex("a\nb\n", "@@\n+last\n"), "a\nb\nlast\n");
  EXPECT_EQ(Codex("x\na\nx\n", "@@\n-x\n+y\n*** End of File\n"), "x\na\ny\n");
  EXPECT_EQ(Codex("a\nx\nb\nx\n", "@@\n a\n-x\n+1\n@@\n b\n-x\n+2\n"), "a\n1\nb\n2\n");
}

TEST(ApplyCodex, NeverAGuess) {
  EXPECT_EQ(Codex("x\na\nx\n", "@@\n-x\n+y\n"), "AMBIGUOUS_MATCH");
  EXPECT_EQ(Codex("f:\n x\nf:\n x\n", "@@ f:\n- x\n+ y\n"), "AMBIGUOUS_MATCH");
  EXPECT_EQ(Codex("a\n", "@@ no\n-a\n+b\n"), "NO_MATCH");
  EXPECT_EQ(Codex("a\n", "@@\n-b\n+c\n"), "NO_MATCH");
  EXPECT_EQ(Codex("b\na\n", "@@\n-a\n+x\n@@\n-b\n+y\n"), "NO_MATCH");
  EXPECT_EQ(Codex("", "@@\n-b\n+c\n"), "NO_MATCH");
  EXPECT_EQ(Codex("x\na\n", "@@\n-x\n+y\n*** End of File\n"), "NO_MATCH");
}

TEST(ApplyCodex, LooselyAsTheOriginal) {
  EXPECT_EQ(Codex("a  \nb\n", "@@\n a\n-b\n+c\n"), "(trailing_whitespace)a  \nc\n");
  EXPECT_EQ(Codex("\ta\n\tb\n", "@@\n a\n-b\n+c\n"), "(indentation)\ta\n\tc\n");
  EXPECT_EQ(Codex("say \u201Chi\u201D\nb\n", "@@\n say \"hi\"\n-b\n+c\n"),
            "(punctuation)say \u201Chi\u201D\nc\n");
}

TEST(ApplyUnified, WhereItSaysOrWhereItIsAlone) {
  EXPECT_EQ(Unified("x\nx\nx\n", "@@ -2 +2 @@\n-x\n+y\n"), "x\ny\nx\n");
  EXPECT_EQ(Unified("a\nb\nc\n", "@@ -1 +1 @@\n-c\n+d\n"), "(2)a\nb\nd\n");
  EXPECT_EQ(Unified("x\na\nx\n", "@@ -2 +2 @@\n-x\n+y\n"), "AMBIGUOUS_MATCH");
  EXPECT_EQ(Unified("new\nx\n1\nx\n2\n", "@@ -1,2 +1,2 @@\n-x\n+y\n 1\n@@ -3 +3 @@\n-x\n+z\n"),
            "(1)(1)new\ny\n1\nz\n2\n");
  EXPECT_EQ(Unified("a\n", "@@ -1 +1 @@\n-b\n+c\n"), "NO_MATCH");
  EXPECT_EQ(Unified("a\nb\n", "@@ @@\n-b\n+c\n"), "a\nc\n");
  EXPECT_EQ(Unified("a\nb\n", "@@ -1,0 +2 @@\n+x\n"), "a\nx\nb\n");
  EXPECT_EQ(Unified("a\nb\n", "@@ -0,0 +1 @@\n+x\n"), "x\na\nb\n");
  EXPECT_EQ(Unified("a\nb\n", "@@ -7,0 +8 @@\n+x\n"), "NO_MATCH");
  EXPECT_EQ(Unified("", "@@ -0,0 +1 @@\n+x\n"), "x\n");
  EXPECT_EQ(Unified("a\n", "@@ -18446744073709551615 +1 @@\n-a\n+b\n").substr(0, 1), "(");
}

TEST(ApplyUnified, LastLineEnds) {
  const std::string missing = "\\ No newline at end of file\n";
  EXPECT_EQ(Unified("a\nb", "@@ -2 +2 @@\n-b\n" + missing + "+c\n" + missing), "a\nc");
  EXPECT_EQ(Unified("a\nb", "@@ -2 +2 @@\n-b\n" + missing + "+c\n"), "a\nc\n");
  EXPECT_EQ(Unified("a\nb\n", "@@ -2 +2 @@\n-b\n+c\n" + missing), "a\nc");
  EXPECT_EQ(Unified("a\nb", "@@ -2 +2 @@\n-b\n+c\n"), "a\nc");
  EXPECT_EQ(Unified("a\nb", "@@ -1,2 +1 @@\n a\n-b\n"), "a");
  EXPECT_EQ(Unified("a\nb", "@@ -2 +2,2 @@\n b\n+c\n"), "a\nb\nc");
  EXPECT_EQ(Unified("b\na\n", "@@ -1 +1 @@\n-b\n" + missing + "+c\n"), "NO_MATCH");
}

TEST(ApplyUnified, LineEndsOfTheFile) {
  EXPECT_EQ(Unified("a\r\nb\r\n", "@@ -1,2 +1,3 @@\n a\n-b\n+c\n+d\n"), "a\r\nc\r\nd\r\n");
  EXPECT_EQ(Unified("a\r\nb\r\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n"), "a\r\nc\r\n");
  EXPECT_EQ(Unified("a\nb\r\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n"), "a\nx\r\nc\n");
}

// What UnifiedDiff writes of any two texts makes one of the other.
TEST(ApplyUnified, TakesEveryDiff) {
  std::mt19937 random(3);
  const auto text_of = [&](std::size_t most) {
    std::string text;
    for (std::size_t lines = random() % (most + 1); lines > 0; --lines) {
      text += "abc"[random() % 3];
      if (lines > 1 || random() % 3 > 0) text += '\n';
    }
    return text;
  };
  for (int round = 0; round < 20'000; ++round) {
    const std::string old_text = text_of(12), new_text = text_of(12);
    if (old_text == new_text) continue;
    const std::string diff = UnifiedDiff(old_text, new_text, "f", "f", random() % 4);
    const FlatText flat(diff);
    const auto patch = ParseUnifiedPatch(flat);
    ASSERT_TRUE(patch) << diff << patch.error().detail;
    const auto patched = ApplyHunks(old_text, patch->files[0].hunks);
    ASSERT_TRUE(patched) << old_text << "---\n" << diff << patched.error().error.detail;
    ASSERT_EQ(patched->text, new_text) << old_text << "---\n" << diff;
  }
}

TEST(ApplyHunks, HostileSizesEnd) {
  const auto since = std::chrono::steady_clock::now();
  std::string text, hunks;
  for (int line = 0; line < 300'000; ++line) text += "a\n";
  for (int hunk = 0; hunk < 3'000; ++hunk) hunks += "@@\n-b\n+c\n";
  EXPECT_EQ(Codex(text, hunks), "NO_MATCH");
  std::string many, lines;
  for (int hunk = 0; hunk < 2'000; ++hunk) {
    const std::string number = std::to_string(hunk);
    lines += "line " + number + "\n";
    many += "@@\n-line " + number + "\n+x\n";
  }
  EXPECT_EQ(Codex(lines + text, many), "LIMIT_EXCEEDED");
  EXPECT_LT(std::chrono::steady_clock::now() - since, std::chrono::seconds(120));
}

}  // namespace
}  // namespace cordon::tools
