// Both grammars: what is taken, what is refused, and where.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/patch/codex_patch.h"
#include "tools/patch/git_names.h"
#include "tools/patch/unified_patch.h"

namespace cordon::tools {
namespace {

using ::testing::HasSubstr;

// What was understood, in short.
std::string Told(const Result<Patch>& patch) {
  if (!patch) return patch.error().detail;
  std::string told;
  for (const FilePatch& file : patch->files) {
    told += file.action == FilePatch::Action::kAdd      ? "A "
            : file.action == FilePatch::Action::kDelete ? "D "
                                                        : "U ";
    told += file.path;
    if (file.move_to) told += " > " + *file.move_to;
    if (file.runnable) told += *file.runnable ? " +x" : " -x";
    if (!file.content.empty()) told += " [" + file.content + "]";
    for (const Hunk& hunk : file.hunks) {
      told += " {";
      for (const std::string_view anchor : hunk.anchors) told += "@" + std::string(anchor) + "|";
      if (hunk.old_start) told += std::to_string(*hunk.old_start) + ":";
      for (const HunkLine& line : hunk.lines) {
        told += line.kind == HunkLine::Kind::kContext   ? " "
                : line.kind == HunkLine::Kind::kRemoved ? "-"
                                                        : "+";
        told += std::string(line.text) + "|";
      }
      if (hunk.at_end) told += "end";
      if (hunk.old_end_missing) told += "old~";
      if (hunk.new_end_missing) told += "new~";
      told += "}";
    }
    told += ";";
  }
  return told;
}
std::string Codex(std::string_view text) { return Told(ParseCodexPatch(text)); }
std::string Unified(std::string_view text) {
  const FlatText flat(text);
  return Told(ParseUnifiedPatch(flat));
}

TEST(CodexPatch, AllOfTheGrammar) {
  EXPECT_EQ(Codex("*** Begin Patch\n"
                  "*** Add File: a/b c\n+one\n+\n+*** End Patch\n"
                  "*** Delete File: d\n"
                  "*** Update File: e\n*** Move to: f\n"
                  "@@ class A\n@@  def g\n ctx\n-old\n+new\n\n more\n*** End of File\n"
                  "@@\n+added\n"
                  "*** Update File: h\n-x\n+y\n"
                  "*** End Patch\n"),
            "A a/b c [one\n\n*** End Patch\n];D d;"
            "U e > f {@class A|@ def g| ctx|-old|+new| | more|end} {+added|};U h {-x|+y|};");
}

TEST(CodexPatch, IsLenientWhereItHurtsNobody) {
  EXPECT_EQ(Codex("\n  *** Begin Patch  \n\n*** Update File:a\n@@\n-x\n\n\n*** Add File: b\n\n"
                  " *** End Patch\n\n"),
            "U a {-x|};A b;");
  EXPECT_EQ(Codex("*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** End Patch"),
            "U a > b;");
  EXPECT_EQ(Codex("*** Begin Patch\n*** Update File: a\n@@\n *** End of File\n+x\n*** End Patch"),
            "U a { *** End of File|+x|};");
}

TEST(CodexPatch, ErrorsNameTheLine) {
  for (const auto& [text, wanted] : std::initializer_list<std::pair<const char*, const char*>>{
           {"", "line 1 of the patch: the first line must be"},
           {"*** Begin Patch\n", "line 2 of the patch: the last line must be"},
           {"*** Begin Patch\n*** End Patch", "the patch is empty"},
           {"*** Begin Patch\nfoo\n*** End Patch", "line 2 of the patch: \"*** Add File"},
           {"*** Begin Patch\n*** Add File:\n*** End Patch", "name is missing"},
           {"*** Begin Patch\n*** Add File: a\n+x\ny\n*** End Patch", "line 4 of the patch: every"},
           {"*** Begin Patch\n*** Update File: a\n*** End Patch", "line 2 of the patch: no change"},
           {"*** Begin Patch\n*** Update File: a\n@@\n*** End Patch",
            "line 3 of the patch: no lines"},
           {"*** Begin Patch\n*** Update File: a\n@@\nx\n*** End Patch",
            "line 4 of the patch: a line"},
           {"*** Begin Patch\n*** Update File: a\n*** Move to:\n*** End Patch",
            "new name is missing"},
           {"*** Begin Patch\n*** Delete File: a\n-x\n*** End Patch", "line 3 of the patch"},
           {"*** Begin Patch\n*** Delete File: a\n*** End Patch\nrm -rf", "something follows"}}) {
    const auto patch = ParseCodexPatch(text);
    ASSERT_FALSE(patch) << text;
    EXPECT_EQ(patch.error().code, ErrorCode::kInvalidArguments) << text;
    EXPECT_THAT(patch.error().detail, HasSubstr(wanted)) << text;
  }
}

TEST(CodexPatch, WrappingIsTakenOff) {
  const std::string bare = "*** Begin Patch\n*** End Patch\n";
  EXPECT_EQ(WithoutWrapping("<<'EOF'\n" + bare + "EOF\n"), bare);
  EXPECT_EQ(WithoutWrapping("\napply_patch <<\"X\"\n" + bare + "X"), bare);
  EXPECT_EQ(WithoutWrapping("<<-E\n" + bare + "E"), bare);
  EXPECT_EQ(WithoutWrapping("```diff\n" + bare + "```\n"), bare);
  EXPECT_EQ(WithoutWrapping("<<'EOF'\n" + bare + "FOE\n"), "<<'EOF'\n" + bare + "FOE\n");
  EXPECT_EQ(WithoutWrapping(bare), bare);
  EXPECT_EQ(WithoutWrapping(""), "");
  EXPECT_TRUE(IsCodexPatch("\n\n*** Begin Patch"));
  EXPECT_FALSE(IsCodexPatch("--- a\n*** Begin Patch"));
}

TEST(UnifiedPatch, PlainHeaders) {
  EXPECT_EQ(Unified("some words\n--- a.txt\t2020-01-01\n+++ a.txt\t2020-01-02\n"
                    "@@ -1,2 +1,2 @@ section\n one\n-two\n+2\n@@ -9 +9,2 @@\n nine\n+ten\n"),
            "U a.txt {1: one|-two|+2|} {9: nine|+ten|};");
  EXPECT_EQ(Unified("--- a/x\n+++ b/x\n@@ -1 +1 @@\n--- gone\n+++ come\n--- a/y\n+++ b/y\n"
                    "@@ -0,0 +1 @@\n+z\n"),
            "U x {1:--- gone|+++ come|};U y {0:+z|};");
  EXPECT_EQ(Unified("--- a/x\n+++ a/x\n@@ -1 +1 @@\n-p\n+q\n"), "U a/x {1:-p|+q|};");
  EXPECT_EQ(
      Unified("--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+p\n+q\n\\ No newline at end of file\n"),
      "A n [p\nq];");
  EXPECT_EQ(Unified("--- a/o\n+++ /dev/null\n@@ -1 +0,0 @@\n-p\n"), "D o {1:-p|};");
  EXPECT_EQ(Unified("--- a\n+++ a\n@@ @@\n x\n+y\n\n@@ ... @@\n-z\n"), "U a { x|+y|} {-z|};");
  EXPECT_EQ(Unified("--- a\n+++ a\n@@ -1,2 +1,3 @@\n\n+x\n y\n-- \n2.39\n"), "U a {1: |+x| y|};");
}

TEST(UnifiedPatch, MissingLastEnds) {
  constexpr std::string_view kMissing = "\\ No newline at end of file\n";
  const std::string head = "--- a\n+++ a\n@@ -1 +1 @@\n";
  EXPECT_EQ(Unified(head + "-x\n" + std::string(kMissing) + "+y\n"), "U a {1:-x|+y|old~};");
  EXPECT_EQ(Unified(head + "-x\n+y\n" + std::string(kMissing)), "U a {1:-x|+y|new~};");
  EXPECT_EQ(Unified(head + " x\n" + std::string(kMissing)), "U a {1: x|old~new~};");
}

TEST(UnifiedPatch, GitHeaders) {
  EXPECT_EQ(Unified("diff --git a/x b/y\nsimilarity index 90%\nrename from x\nrename to y\n"
                    "index 1..2 100644\n--- a/x\n+++ b/y\n@@ -1 +1 @@\n-p\n+q\n"
                    "diff --git a/m b/m\nold mode 100644\nnew mode 100755\n"
                    "diff --git a/e b/e\nnew file mode 100755\nindex 0..0\n"
                    "diff --git a/g h b/g h\ndeleted file mode 100644\nindex 0..0\n"),
            "U x > y {1:-p|+q|};U m +x;A e +x;D g h;");
  EXPECT_EQ(
      Unified("diff --git \"a/\\303\\244\\t\\\"\" \"b/\\303\\244\\t\\\"\"\n"
              "--- \"a/\\303\\244\\t\\\"\"\n+++ \"b/\\303\\244\\t\\\"\"\n@@ -1 +1 @@\n-p\n+q\n"),
      "U \u00E4\t\" {1:-p|+q|};");
  EXPECT_EQ(
      Unified("diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-p\n+q\n"),
      "U x {1:-p|+q|};");
}

TEST(UnifiedPatch, NewFilesKeepTheirLineEnds) {
  EXPECT_EQ(Unified("--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+p\r\n+q\n"), "A n [p\r\nq\n];");
  EXPECT_EQ(Unified("--- /dev/null\r\n+++ b/n\r\n@@ -0,0 +1,2 @@\r\n+p\r\n+q\r\n"),
            "A n [p\nq\n];");
}

TEST(UnifiedPatch, Refusals) {
  struct Case {
    std::string text, wanted;
    ErrorCode code = ErrorCode::kInvalidArguments;
  };
  const std::string head = "--- a\n+++ a\n";
  for (const Case& one : std::vector<Case>{
           {"nothing", "no file begins here"},
           {head, "no change"},
           {head + "@@ -1,2 +1 @@\n-x\n", "line 3 of the patch: the hunk's header counts 2 old"},
           {head + "@@ -1 +1 @@\n-x\n+y\n+z\n", "counts 1 old"},
           {head + "@@ -1 +1 @@\n x\n-y\n", "counts 1 old"},
           {head + "@@ -1,x +1 @@\n-x\n", "a hunk begins as"},
           {head + "@@ -1 +1 @@\nx\n", "counts"},
           {head + "@@ @@\n", "no lines follow"},
           {head + "@@ @@\n\\ No newline\n", "about none"},
           {"--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n", "two names of this file differ"},
           {"--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-x\n+y\n", "/dev/null"},
           {"--- /dev/null\n+++ b/n\n@@ -1 +1 @@\n-x\n+y\n", "only have lines with"},
           {"--- \"a\\q\"\n+++ a\n@@ -1 +1 @@\n-x\n+y\n", "not well formed"},
           {"diff --git a/x b/y\nrename from x\n", "both"},
           {"diff --git a/x b/y\nrename from x\nrename to z\n--- a/x\n+++ b/y\n", "contradict"},
           {"diff --git a/x b/x\nnew file mode 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-x\n+y\n",
            "contradicts"},
           {"diff --git a/x b/x\nindex 1..2\n", "no change"},
           {"diff --git a/x b/longer\nindex 1..2\n", "cannot be told"},
           {"diff --git a/x b/x\nnew file mode 120000\n", "regular", ErrorCode::kUnsupported},
           {"diff --git a/x b/y\ncopy from x\ncopy to y\n", "copies", ErrorCode::kUnsupported},
           {"diff --git a/x b/x\nGIT binary patch\n", "binary", ErrorCode::kUnsupported},
           {"diff --git a/x b/x\nBinary files a/x and b/x differ\n", "binary",
            ErrorCode::kUnsupported}}) {
    const FlatText flat(one.text);
    const auto patch = ParseUnifiedPatch(flat);
    ASSERT_FALSE(patch) << one.text << Told(patch);
    EXPECT_EQ(patch.error().code, one.code) << one.text << patch.error().detail;
    EXPECT_THAT(patch.error().detail, HasSubstr(one.wanted)) << one.text;
  }
}

}  // namespace
}  // namespace cordon::tools
