// apply_patch on real files: all of it, or nothing.
#include "policy/deny_list.h"
#include "tests/tools/tool_fixture.h"

namespace cordon::testing {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;

std::string Begin(const std::string& body) {
  return "*** Begin Patch\n" + body + "*** End Patch\n";
}

class Patching : public ToolTest {
 protected:
  tools::Outcome Apply(const std::string& patch) {
    return Call("apply_patch", json::object{{"patch", patch}});
  }
  std::string ApplyCode(const std::string& patch) { return CodeOf(Apply(patch)); }
  // The code, of a patch that must leave everything as it was.
  std::string Refused(const std::string& patch) {
    const std::string before = Tree();
    const tools::Outcome outcome = Apply(patch);
    EXPECT_FALSE(outcome) << patch;
    EXPECT_EQ(Tree(), before) << patch;
    return CodeOf(outcome);
  }
  std::uint32_t ModeOf(const std::string& path) {
    struct stat stat;
    EXPECT_EQ(::stat(At(path).c_str(), &stat), 0);
    return stat.st_mode & 07777U;
  }
};

TEST_F(Patching, EveryActionAtOnce) {
  WriteFile(At("w/u"), "one\r\ntwo\r\n");
  WriteFile(At("w/d"), std::string("\0bin", 4));
  WriteFile(At("w/m"), "x\ny\n");
  ASSERT_EQ(::chmod(At("w/m").c_str(), 0750), 0);
  const tools::Outcome outcome = Apply(Begin(
      "*** Add File: n/e/w\n+new\n*** Update File: u\n@@\n one\n-two\n+2\n*** Delete File: d\n"
      "*** Update File: m\n*** Move to: n/moved\n@@\n-x\n+z\n"));
  ASSERT_TRUE(outcome) << tools::MessageOf(outcome.error());
  EXPECT_EQ(ReadFile(At("w/n/e/w")), "new\n");
  EXPECT_EQ(ReadFile(At("w/u")), "one\r\n2\r\n");
  EXPECT_FALSE(Exists(At("w/d")));
  EXPECT_FALSE(Exists(At("w/m")));
  EXPECT_EQ(ReadFile(At("w/n/moved")), "z\ny\n");
  EXPECT_EQ(ModeOf("w/n/moved"), 0750U);
  EXPECT_EQ(outcome->changed,
            (std::vector<std::string>{"n", "n/e", "n/e/w", "u", "d", "m", "n/moved"}));
  EXPECT_THAT(outcome->text, HasSubstr("Applied the patch to 4 files"));
  const auto& files = outcome->data.at("files").as_array();
  EXPECT_EQ(files[3].at("action").as_string(), "move");
  EXPECT_EQ(files[3].at("etag").as_string(), ToHex(Sha256("z\ny\n")));
  EXPECT_EQ(json::serialize(files[1].at("hunks")), R"([{"line":1,"offset":0,"matched":"exact"}])");
}

TEST_F(Patching, UnifiedAndGit) {
  WriteFile(At("w/u"), "one\ntwo\n");
  WriteFile(At("w/d"), "gone");
  WriteFile(At("w/m"), "same");
  ASSERT_EQ(::chmod(At("w/u").c_str(), 0640), 0);
  const tools::Outcome outcome =
      Call("apply_patch",
           json::object{{"input",
                         "```diff\ndiff --git a/u b/u\nold mode 100644\nnew mode 100755\n--- a/u\n"
                         "+++ b/u\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"
                         "diff --git a/d b/d\ndeleted file mode 100644\n--- a/d\n+++ /dev/null\n"
                         "@@ -1 +0,0 @@\n-gone\n\\ No newline at end of file\n"
                         "diff --git a/m b/r\nrename from m\nrename to r\n"
                         "diff --git a/x b/x\nnew file mode 100755\n--- /dev/null\n+++ b/x\n"
                         "@@ -0,0 +1 @@\n+#!/bin/sh\n```\n"}});
  ASSERT_TRUE(outcome) << tools::MessageOf(outcome.error());
  EXPECT_EQ(ReadFile(At("w/u")), "one\n2\n");
  EXPECT_EQ(ModeOf("w/u"), 0750U);
  EXPECT_FALSE(Exists(At("w/d")));
  EXPECT_EQ(ReadFile(At("w/r")), "same");
  EXPECT_FALSE(Exists(At("w/m")));
  EXPECT_EQ(ModeOf("w/x"), 0755U);
}

TEST_F(Patching, WhatItRefuses) {
  WriteFile(At("w/f"), "a\nb\n");
  WriteFile(At("w/g"), "c\n");
  ASSERT_EQ(::symlink("f", At("w/l").c_str()), 0);
  ASSERT_EQ(::symlink("nowhere", At("w/dangling").c_str()), 0);
  ASSERT_EQ(::mkfifo(At("w/fifo").c_str(), 0644), 0);
  WriteFile(At("w/binary"), std::string("a\0b", 3));
  const std::string first = "*** Update File: f\n@@\n-a\n+x\n";  // would succeed
  for (const auto& [body, code] : std::initializer_list<std::pair<std::string, std::string>>{
           {"*** Add File: g\n+x\n", "ALREADY_EXISTS"},
           {"*** Add File: dangling\n+x\n", "ALREADY_EXISTS"},
           {"*** Add File: sub\n+x\n", "ALREADY_EXISTS"},
           {"*** Add File: g/below\n+x\n", "NOT_A_DIRECTORY"},
           {"*** Add File: ../o/new\n+x\n", "PATH_OUTSIDE_PROJECT"},
           {"*** Add File: /etc/new\n+x\n", "PATH_OUTSIDE_PROJECT"},
           {"*** Add File: n/.env\n+x\n", "PATH_DENIED"},
           {"*** Delete File: .env\n", "PATH_DENIED"},
           {"*** Delete File: missing\n", "NOT_FOUND"},
           {"*** Delete File: sub\n", "IS_A_DIRECTORY"},
           {"*** Delete File: l\n", "NOT_A_REGULAR_FILE"},
           {"*** Delete File: fifo\n", "NOT_A_REGULAR_FILE"},
           {"*** Update File: missing\n@@\n-a\n+b\n", "NOT_FOUND"},
           {"*** Update File: binary\n@@\n-a\n+b\n", "NOT_TEXT"},
           {"*** Update File: g\n@@\n-q\n+b\n", "NO_MATCH"},
           {"*** Update File: g\n@@\n-c\n+c\n", "INVALID_ARGUMENTS"},
           {"*** Update File: g\n*** Move to: sub/../f\n@@\n-c\n+d\n", "INVALID_ARGUMENTS"},
           {"*** Update File: g\n*** Move to: sub\n@@\n-c\n+d\n", "ALREADY_EXISTS"},
           {"*** Update File: g\n*** Move to: ../o/g\n", "PATH_OUTSIDE_PROJECT"},
           {"*** Update File: ./f\n@@\n-b\n+y\n", "INVALID_ARGUMENTS"},
           {"*** Delete File: f\n", "INVALID_ARGUMENTS"},
           {"*** Add File: f\n+x\n", "INVALID_ARGUMENTS"},
           // The same file by another name.
           {"*** Update File: l\n@@\n-b\n+y\n", "INVALID_ARGUMENTS"},
           {"*** Delete File: " + At("w/f") + "\n", "INVALID_ARGUMENTS"},
           {"*** Update File: " + At("w/f") + "\n*** Move to: q\n", "INVALID_ARGUMENTS"},
           {"nonsense\n", "INVALID_ARGUMENTS"}}) {
    EXPECT_EQ(Refused(Begin(first + body)), code) << body;
  }
  EXPECT_EQ(Refused("--- a/g\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"), "NO_MATCH");
  WriteFile(At("w/g"), "c\nmore\n");
  EXPECT_EQ(Refused("--- a/g\n+++ /dev/null\n@@ -1 +0,0 @@\n-c\n"), "NO_MATCH");
}

TEST_F(Patching, DryRunChangesNothing) {
  WriteFile(At("w/f"), "a\n");
  const std::string before = Tree();
  const tools::Outcome outcome = Call(
      "apply_patch", json::object{{"patch", Begin("*** Add File: n/x\n+1\n*** Delete File: f\n")},
                                  {"dry_run", true}});
  ASSERT_TRUE(outcome);
  EXPECT_FALSE(outcome->data.at("written").as_bool());
  EXPECT_TRUE(outcome->changed.empty());
  EXPECT_EQ(Tree(), before);
}

TEST_F(Patching, Limits) {
  std::string files, hunks = "*** Update File: a\n";
  for (int file = 0; file < 501; ++file)
    files += "*** Add File: f" + std::to_string(file) + "\n+x\n";
  EXPECT_EQ(Refused(Begin(files)), "LIMIT_EXCEEDED");
  for (int hunk = 0; hunk < 10'001; ++hunk) hunks += "@@\n-x\n";
  EXPECT_EQ(Refused(Begin(hunks)), "LIMIT_EXCEEDED");
  EXPECT_EQ(Refused(Begin("*** Add File: f\n+" + std::string(9 << 20, 'x') + "\n")), "TOO_LARGE");
  ASSERT_EQ(::truncate(At("w/a").c_str(), 1L << 30), 0);
  EXPECT_EQ(ApplyCode(Begin("*** Delete File: a\n")), "TOO_LARGE");
}

// One file of the patch may be read, but not written.
class PatchingLocked : public Patching {
 protected:
  PatchingLocked() {
    policy::DenyRule rule;
    rule.pattern = "locked*";
    rule.operations.reset();
    rule.operations.set(static_cast<std::size_t>(Operation::kWrite));
    rule.operations.set(static_cast<std::size_t>(Operation::kDelete));
    rule.operations.set(static_cast<std::size_t>(Operation::kRename));
    settings_.deny.push_back(rule);
    WriteFile(At("w/locked"), "l\n");
    WriteFile(At("w/locked2"), "l\n");
    WriteFile(At("w/f"), "a\n");
    WriteFile(At("w/g"), "a\n");
    WriteFile(At("w/h"), "a\n");
    EXPECT_EQ(::chmod(At("w/g").c_str(), 0600), 0);
    EXPECT_EQ(::chmod(At("w/h").c_str(), 0604), 0);
  }
};

TEST_F(PatchingLocked, AFailureInTheMiddleTakesEverythingBack) {
  const std::string others =
      "*** Update File: f\n@@\n-a\n+x\n*** Add File: n/e/w\n+new\n*** Delete File: h\n"
      "*** Update File: g\n*** Move to: n/g\n@@\n-a\n+x\n";
  for (const std::string& last : {std::string("*** Update File: locked\n@@\n-l\n+x\n"),
                                  std::string("*** Delete File: locked\n"),
                                  std::string("*** Update File: locked\n*** Move to: free\n")}) {
    const std::string before = Tree();
    const tools::Outcome outcome = Apply(Begin(others + last));
    ASSERT_FALSE(outcome) << last;
    EXPECT_EQ(CodeOf(outcome), "PATH_DENIED") << last;
    EXPECT_EQ(outcome.error().requested, "locked");
    EXPECT_EQ(Tree(), before) << last;
    EXPECT_TRUE(outcome.error().data.contains("taken_back"));
    EXPECT_FALSE(outcome.error().data.contains("not_taken_back"))
        << json::serialize(outcome.error().data);
    EXPECT_THAT(outcome.error().error.detail, HasSubstr("taken back"));
  }
}

TEST_F(PatchingLocked, WhereTheLogFailsNothingIsSaidToBeFineThatIsNot) {
  const std::string patch = Begin(
      "*** Update File: f\n@@\n-a\n+x\n*** Update File: g\n@@\n-a\n+x\n*** Add File: n/w\n+n\n");
  const std::string before = Tree();
  for (int good = 0; good < 40; ++good) {
    recorder_->FailAfter(good);
    const tools::Outcome outcome = Apply(patch);
    recorder_->FailAfter(-1);
    if (outcome) {
      EXPECT_GT(good, 8);
      EXPECT_EQ(ReadFile(At("w/g")), "x\n");
      return;
    }
    const bool told =
        outcome.error().data.contains("not_taken_back") ||
        outcome.error().error.detail.find("could not be recorded") != std::string::npos;
    EXPECT_TRUE(told || Tree() == before) << good << json::serialize(outcome.error().data);
    WriteFile(At("w/f"), "a\n");
    WriteFile(At("w/g"), "a\n");
    std::filesystem::remove_all(At("w/n"));
    EXPECT_EQ(Tree(), before) << good;  // no temporary files
  }
  FAIL() << "the patch never succeeded";
}

// Somebody who is asked about each change, and does something meanwhile.
class PatchingAsked : public Patching {
 protected:
  PatchingAsked() {
    settings_.profile = policy::Profile::kInteractive;
    WriteFile(At("w/f"), "a\n");
    WriteFile(At("w/g"), "a\n");
  }
  void SetUp() override {}
};

TEST_F(PatchingAsked, ARefusalTakesBackWhatWasAgreedTo) {
  Start([&](const Question& question) -> Result<Choice> {
    return question.asked == "g" && question.tool == "apply_patch" ? Choice::kDeny : Choice::kOnce;
  });
  EXPECT_EQ(Refused(Begin("*** Update File: f\n@@\n-a\n+x\n*** Update File: g\n@@\n-a\n+x\n")),
            "CONSENT_DENIED");
}

TEST_F(PatchingAsked, DeletingIsAskedAboutEvenWhereWritingIsTrusted) {
  Start([&](const Question& question) -> Result<Choice> {
    if (question.operation == Operation::kDelete) return Choice::kDeny;
    return question.Offers(Choice::kTool) ? Choice::kTool : Choice::kOnce;
  });
  EXPECT_EQ(Refused(Begin("*** Update File: f\n@@\n-a\n+x\n*** Delete File: g\n")),
            "CONSENT_DENIED");
}

TEST_F(PatchingAsked, WhatSomebodyChangedMeanwhileStaysAndIsNamed) {
  Start([&](const Question& question) -> Result<Choice> {
    if (question.asked == "f") return Choice::kOnce;
    WriteFile(At("w/f"), "somebody else's\n");
    return Choice::kDeny;
  });
  const tools::Outcome outcome =
      Apply(Begin("*** Update File: f\n@@\n-a\n+x\n*** Update File: g\n@@\n-a\n+x\n"));
  EXPECT_EQ(CodeOf(outcome), "CONSENT_DENIED");
  EXPECT_EQ(ReadFile(At("w/f")), "somebody else's\n");
  EXPECT_THAT(json::serialize(outcome.error().data), HasSubstr(R"("not_taken_back":[{"path":"f")"));
  EXPECT_THAT(outcome.error().advice, HasSubstr("not_taken_back"));
}

TEST_F(PatchingAsked, AFileThatChangedAfterItWasReadIsNotTouched) {
  Start([&](const Question& question) -> Result<Choice> {
    if (question.asked == "g") WriteFile(At("w/g"), "somebody else's\n");
    return Choice::kOnce;
  });
  EXPECT_EQ(ApplyCode(Begin("*** Update File: f\n@@\n-a\n+x\n*** Delete File: g\n")), "STALE_FILE");
  EXPECT_EQ(ReadFile(At("w/f")), "a\n");
  EXPECT_EQ(ReadFile(At("w/g")), "somebody else's\n");
}

}  // namespace
}  // namespace cordon::testing
