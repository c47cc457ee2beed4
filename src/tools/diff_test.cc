#include "tools/diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "tools/line_match.h"

namespace cordon::tools {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

std::string Diff(std::string_view old_text, std::string_view new_text) {
  return UnifiedDiff(old_text, new_text, "old", "new");
}

TEST(UnifiedDiff, EqualTextsHaveNone) {
  EXPECT_THAT(Diff("", ""), IsEmpty());
  EXPECT_THAT(Diff("a\nb", "a\nb"), IsEmpty());
}

TEST(UnifiedDiff, OneLineChanged) {
  EXPECT_EQ(Diff("a\nb\nc\n", "a\nx\nc\n"), "--- old\n+++ new\n@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n");
}

TEST(UnifiedDiff, FromNothingAndToNothing) {
  EXPECT_EQ(Diff("", "a\nb\n"), "--- old\n+++ new\n@@ -0,0 +1,2 @@\n+a\n+b\n");
  EXPECT_EQ(Diff("a\n", ""), "--- old\n+++ new\n@@ -1 +0,0 @@\n-a\n");
}

TEST(UnifiedDiff, ALastLineWithoutAnEndIsAnotherLine) {
  EXPECT_EQ(Diff("a\nb", "a\nb\n"),
            "--- old\n+++ new\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n");
}

TEST(UnifiedDiff, CarriageReturnsAreBytesOfTheLine) {
  EXPECT_EQ(Diff("a\r\n", "a\n"), "--- old\n+++ new\n@@ -1 +1 @@\n-a\r\n+a\n");
}

TEST(UnifiedDiff, FarChangesAreHunksOfTheirOwn) {
  std::string text;
  for (int i = 0; i < 20; ++i) text += std::to_string(i) + "\n";
  std::string changed = "x" + text + "y\n";
  const std::string diff = Diff(text, changed);
  EXPECT_THAT(diff, HasSubstr("@@ -1,4 +1,4 @@\n-0\n+x0\n"));
  EXPECT_THAT(diff, HasSubstr("@@ -18,3 +18,4 @@\n"));
}

TEST(UnifiedDiff, BinaryAndLargeAreSaidSo) {
  EXPECT_EQ(Diff(std::string("a\0b", 3), "a"), "Binary files old and new differ\n");
  DiffLimits limits;
  limits.max_input = 3;
  EXPECT_THAT(UnifiedDiff("ab", "cd", "old", "new", 3, limits), HasSubstr("too large"));
}

TEST(UnifiedDiff, ALongDiffIsCutAfterAWholeHunk) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += std::to_string(i) + "\n";
  std::string changed = "x\n" + text + "y\n";
  DiffLimits limits;
  limits.max_output = 60;
  const std::string diff = UnifiedDiff(text, changed, "old", "new", 3, limits);
  EXPECT_THAT(diff, StartsWith("--- old\n+++ new\n@@ -1,3 +1,4 @@\n+x\n 0\n 1\n 2\n..."));
  EXPECT_THAT(diff, testing::EndsWith("left out\n"));
}

TEST(UnifiedDiff, ANameCannotForgeALine) {
  EXPECT_THAT(UnifiedDiff("a\n", "b\n", "old\n+++ evil", "new"), StartsWith("--- old\\"));
}

std::size_t LongestCommon(const std::vector<std::uint32_t>& a,
                          const std::vector<std::uint32_t>& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (const std::uint32_t line : a) {
    std::size_t diagonal = 0;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = line == b[j - 1] ? diagonal + 1 : std::max(row[j], row[j - 1]);
      diagonal = above;
    }
  }
  return row.back();
}

TEST(MatchLines, FindsALongestCommonSequence) {
  std::mt19937 random(7);
  for (int round = 0; round < 5000; ++round) {
    const std::uint32_t alphabet = 1 + random() % 6;
    std::vector<std::uint32_t> a(random() % 14), b(random() % 14);
    for (auto* lines : {&a, &b}) {
      for (std::uint32_t& line : *lines) line = random() % alphabet;
    }
    const LineChanges changes = MatchLines(a, b, 1'000'000);
    std::vector<std::uint32_t> kept_a, kept_b;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!changes.removed[i]) kept_a.push_back(a[i]);
    }
    for (std::size_t i = 0; i < b.size(); ++i) {
      if (!changes.added[i]) kept_b.push_back(b[i]);
    }
    ASSERT_EQ(kept_a, kept_b) << "round " << round;
    ASSERT_EQ(kept_a.size(), LongestCommon(a, b)) << "round " << round;
  }
}

TEST(MatchLines, WithoutStepsItIsStillRight) {
  std::mt19937 random(11);
  for (int round = 0; round < 500; ++round) {
    std::vector<std::uint32_t> a(200), b(200);
    for (auto* lines : {&a, &b}) {
      for (std::uint32_t& line : *lines) line = random() % 3;
    }
    const LineChanges changes = MatchLines(a, b, random() % 2000);
    std::vector<std::uint32_t> kept_a, kept_b;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!changes.removed[i]) kept_a.push_back(a[i]);
      if (!changes.added[i]) kept_b.push_back(b[i]);
    }
    ASSERT_EQ(kept_a, kept_b) << "round " << round;
  }
}

TEST(MatchLines, HostileTextsTakeBoundedTime) {
  // Two values in random order: the worst case of every such search.
  std::mt19937 random(3);
  std::vector<std::uint32_t> a(400'000), b(400'000);
  for (auto* lines : {&a, &b}) {
    for (std::uint32_t& line : *lines) line = random() % 2;
  }
  const auto before = std::chrono::steady_clock::now();
  const LineChanges changes = MatchLines(a, b, DiffLimits{}.max_steps);
  const auto took = std::chrono::steady_clock::now() - before;
  EXPECT_EQ(changes.removed.size(), a.size());
  EXPECT_LT(took, std::chrono::seconds(20));  // seconds at worst, with any sanitizer
}

// What GNU patch makes of it is the other opinion.
class AgainstPatch : public testing::Test {
 protected:
  AgainstPatch() {
    std::string name = testing::TempDir() + "cordon_diff_XXXXXX";
    directory_ = mkdtemp(name.data());
  }
  ~AgainstPatch() override { std::filesystem::remove_all(directory_); }

  void Put(const char* name, const std::string& bytes) const {
    std::ofstream(directory_ / name, std::ios::binary) << bytes;
  }
  std::string Get(const char* name) const {
    std::ostringstream text;
    text << std::ifstream(directory_ / name, std::ios::binary).rdbuf();
    return text.str();
  }

  std::filesystem::path directory_;
};

std::string RandomText(std::mt19937& random) {
  static constexpr const char* kLines[] = {"a",           "b",    "",   "--- x", "+++ y",
                                           "@@ -1 +1 @@", "\\ z", " s", "\t",    "c\r"};
  std::string text;
  const std::size_t lines = random() % 40;
  for (std::size_t i = 0; i < lines; ++i) text += std::string(kLines[random() % 10]) + "\n";
  if (random() % 3 == 0 && !text.empty()) text.pop_back();
  return text;
}

std::string Mutated(std::mt19937& random, std::string text) {
  for (int i = static_cast<int>(random() % 6); i > 0 && !text.empty(); --i) {
    const std::size_t at = random() % text.size();
    if (random() % 2 == 0) {
      text.erase(at, 1 + random() % 8);
    } else {
      text.insert(at, "q\n");
    }
  }
  return text;
}

TEST_F(AgainstPatch, PatchGivesTheNewText) {
  if (std::system("patch --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "there is no patch";
  std::mt19937 random(42);
  const std::string run = "cd '" + directory_.string() +
                          "' && patch --silent --binary --force --fuzz=0 file < diff > said 2>&1";
  for (int round = 0; round < 300; ++round) {
    const std::string before = RandomText(random);
    const std::string after = round % 3 == 0 ? RandomText(random) : Mutated(random, before);
    if (before == after) continue;
    const std::size_t context = random() % 5;
    Put("file", before);
    Put("diff", UnifiedDiff(before, after, "file", "file", context));
    ASSERT_EQ(std::system(run.c_str()), 0) << Get("said") << Get("diff");
    // Patch removes a file that has become empty.
    const std::string got = Get("file");
    ASSERT_EQ(got, after) << "round " << round << "\n" << Get("diff");
  }
}

}  // namespace
}  // namespace cordon::tools
