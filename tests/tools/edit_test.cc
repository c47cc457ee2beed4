// edit_file and replace on real files: what they change, and what they leave as it was.
#include <sys/xattr.h>

#include <random>

#include "tests/tools/tool_fixture.h"

namespace cordon::testing {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;
using ::testing::Not;

class Editing : public ToolTest {
 protected:
  // The file after one edit of it, or the code of the error; then it is as it was.
  std::string Edited(const std::string& content, std::string_view old_text,
                     std::string_view new_text) {
    WriteFile(At("w/f"), content);
    const std::string before = Tree();
    const tools::Outcome outcome = Call(
        "edit_file", json::object{{"path", "f"},
                                  {"edits", json::array{{{"old", old_text}, {"new", new_text}}}}});
    if (outcome) {
      EXPECT_EQ(outcome->changed, std::vector<std::string>{"f"});
      EXPECT_EQ(outcome->data.at("etag").as_string(), ToHex(Sha256(ReadFile(At("w/f")))));
      return ReadFile(At("w/f"));
    }
    EXPECT_EQ(Tree(), before);
    return CodeOf(outcome);
  }
};

TEST_F(Editing, AnswersWithDiffEtagAndPlaces) {
  WriteFile(At("w/f"), "one\n  two\nthree\n");
  const tools::Outcome outcome = Call(
      "edit_file",
      R"({"path": "f", "edits": [{"old": "one", "new": "1"}, {"oldText": "\ttwo\n", "newText": "\t2\n"}]})");
  ASSERT_TRUE(outcome) << tools::MessageOf(outcome.error());
  EXPECT_EQ(ReadFile(At("w/f")), "1\n  2\nthree\n");
  EXPECT_EQ(json::serialize(outcome->data),
            R"({"path":"f","written":true,"etag":")" + ToHex(Sha256("1\n  2\nthree\n")) +
                R"(","diff":"--- f\n+++ f\n@@ -1,3 +1,3 @@\n-one\n-  two\n+1\n+  2\n three\n",)"
                R"("replacements":2,"edits":[{"matched":"exact","replacements":1,)"
                R"("lines":[{"first":1,"last":1}]},{"matched":"indentation","replacements":1,)"
                R"("lines":[{"first":2,"last":2}]}]})");
  EXPECT_THAT(outcome->text, HasSubstr("edit 2 matched not exactly, but for indentation"));
  EXPECT_THAT(outcome->text, HasSubstr("+  2\n"));
}

TEST_F(Editing, KeepsTheFormOfTheFile) {
  EXPECT_EQ(Edited("a\r\nb\r\n", "a\nb\n", "a\nx\ny\n"), "a\r\nx\r\ny\r\n");
  EXPECT_EQ(Edited("a\r\nb\nc", "b", "x\ny"), "a\r\nx\ny\nc");
  EXPECT_EQ(Edited("\xEF\xBB\xBF"
                   "a\n",
                   "a", "b"),
            "\xEF\xBB\xBF"
            "b\n");
  EXPECT_EQ(Edited("last", "last", "end"), "end");
  const std::string utf16(
      "\xFF\xFE"
      "a\0\xE4\0\n\0",
      8);
  EXPECT_EQ(Edited(utf16, "\u00E4", "\u20AC\U0001F600"),
            std::string("\xFF\xFE"
                        "a\0\xAC\x20\x3D\xD8\x00\xDE\n\0",
                        12));
  WriteFile(At("w/f"), "a");
  ASSERT_EQ(::chmod(At("w/f").c_str(), 0640), 0);
  const bool attributes = ::setxattr(At("w/f").c_str(), "user.note", "kept", 4, 0) == 0;
  EXPECT_EQ(CallCode("replace", R"({"path": "f", "old_string": "a", "new_string": "b"})"), "done");
  struct stat stat;
  ASSERT_EQ(::stat(At("w/f").c_str(), &stat), 0);
  EXPECT_EQ(stat.st_mode & 07777U, 0640U);
  char value[8] = {};
  if (attributes) {
    EXPECT_EQ(::getxattr(At("w/f").c_str(), "user.note", value, sizeof value), 4);
  }
}

TEST_F(Editing, Refusals) {
  EXPECT_EQ(Edited("a b a", "a", "x"), "AMBIGUOUS_MATCH");
  EXPECT_EQ(Edited("a", "b", "x"), "NO_MATCH");
  EXPECT_EQ(Edited("", "b", "x"), "NO_MATCH");
  EXPECT_EQ(Edited("a", "a", "a"), "INVALID_ARGUMENTS");
  EXPECT_EQ(Edited("a", "", "a"), "INVALID_ARGUMENTS");
  EXPECT_EQ(Edited(std::string("a\0b", 3), "a", "x"), "NOT_TEXT");
  EXPECT_EQ(Edited("a\xFF", "a", "\u20AC"), "NOT_TEXT");  // Latin-1 has none
  EXPECT_EQ(CallCode("edit_file", R"({"path": "f", "edits": []})"), "INVALID_ARGUMENTS");
  EXPECT_EQ(CallCode("edit_file", R"({"path": "f", "edits": [{"old": "a"}]})"),
            "INVALID_ARGUMENTS");
  json::array many(257, json::object{{"old", "a"}, {"new", "b"}});
  EXPECT_EQ(CodeOf(Call("edit_file", json::object{{"path", "f"}, {"edits", many}})),
            "INVALID_ARGUMENTS");
}

TEST_F(Editing, SeveralAreAllOrNothing) {
  WriteFile(At("w/f"), "a b c");
  const std::string before = Tree();
  EXPECT_THAT(
      Told("edit_file",
           R"({"path": "f", "edits": [{"old": "a", "new": "x"}, {"old": "q", "new": "y"}]})"),
      HasSubstr("edit 2 of 2"));
  EXPECT_EQ(Tree(), before);
}

TEST_F(Editing, AFileThatIsTooLarge) {
  WriteFile(At("w/f"), "a");
  ASSERT_EQ(::truncate(At("w/f").c_str(), 1L << 30), 0);
  EXPECT_EQ(CallCode("replace", R"({"path": "f", "old_string": "a", "new_string": "b"})"),
            "TOO_LARGE");
}

TEST_F(Editing, OddNames) {
  const std::string name = "n \n\xFF\u202E.txt";
  WriteFile(At("w/" + name), "a");
  const tools::Outcome outcome = Call("replace", R"({"path": "n%20%0A%FF%E2%80%AE.txt",
      "path_encoding": "percent", "old_string": "a", "new_string": "b"})");
  ASSERT_TRUE(outcome) << tools::MessageOf(outcome.error());
  EXPECT_EQ(ReadFile(At("w/" + name)), "b");
  EXPECT_EQ(outcome->data.at("path_encoding").as_string(), "percent");
  EXPECT_THAT(outcome->text, Not(HasSubstr("\u202E")));
}

TEST_F(Editing, DryRunAndIfMatch) {
  WriteFile(At("w/f"), "a\n");
  const std::string before = Tree();
  const tools::Outcome dry =
      Call("edit_file", R"({"path": "f", "edits": [{"old": "a", "new": "b"}], "dry_run": true})");
  ASSERT_TRUE(dry);
  EXPECT_FALSE(dry->data.at("written").as_bool());
  EXPECT_TRUE(dry->changed.empty());
  EXPECT_EQ(Tree(), before);
  const auto with = [&](const std::string& etag) {
    return "{\"path\": \"f\", \"edits\": [{\"old\": \"a\", \"new\": \"b\"}], \"if_match\": \"" +
           etag + "\"}";
  };
  EXPECT_EQ(CallCode("edit_file", with("x")), "INVALID_ARGUMENTS");
  EXPECT_THAT(Told("edit_file", with(ToHex(Sha256("other")))), HasSubstr(ToHex(Sha256("a\n"))));
  EXPECT_EQ(Tree(), before);
  EXPECT_EQ(CallCode("edit_file", with(ToHex(Sha256("a\n")))), "done");
  EXPECT_EQ(ReadFile(At("w/f")), "b\n");
}

TEST_F(Editing, ReplaceCounts) {
  WriteFile(At("w/f"), "x\ny\nx\n");
  const auto with = [](const std::string& count) {
    return R"({"path": "f", "old_string": "x", "new_string": "z", "expected_replacements": )" +
           count + "}";
  };
  EXPECT_THAT(Told("replace", with("3")), HasSubstr(R"("matches":2,"expected":3,"lines":[1,3])"));
  EXPECT_THAT(Told("replace", with("1")), HasSubstr(R"("code":"AMBIGUOUS_MATCH")"));
  EXPECT_EQ(CallCode("replace", with("0")), "INVALID_ARGUMENTS");
  EXPECT_EQ(CallCode("replace", with("\"2\"")), "done");
  EXPECT_EQ(ReadFile(At("w/f")), "z\ny\nz\n");
}

TEST_F(Editing, ReplaceMakesAFileFromNothing) {
  const char* const call = R"({"path": "n/f", "old_string": "", "new_string": "hi\n"})";
  const std::string before = Tree();
  EXPECT_EQ(CallCode("replace",
                     R"({"path": "n/f", "old_string": "", "new_string": "hi\n", "dry_run": true})"),
            "done");
  EXPECT_EQ(CallCode("replace", R"({"path": "n/.env", "old_string": "", "new_string": "hi"})"),
            "PATH_DENIED");
  EXPECT_EQ(Tree(), before);
  const tools::Outcome made = Call("replace", call);
  ASSERT_TRUE(made);
  EXPECT_TRUE(made->data.at("created").as_bool());
  EXPECT_EQ(ReadFile(At("w/n/f")), "hi\n");
  EXPECT_EQ(CallCode("replace", call), "ALREADY_EXISTS");
}

// Somebody who is asked, and does something meanwhile.
class EditingAsked : public ToolTest {
 protected:
  EditingAsked() { settings_.profile = policy::Profile::kInteractive; }
  void SetUp() override {}
};

TEST_F(EditingAsked, APersonSeesTheDiff) {
  StartAnswering(Choice::kOnce);
  WriteFile(At("w/f"), "a\n");
  EXPECT_EQ(CallCode("replace", R"({"path": "f", "old_string": "a", "new_string": "b"})"), "done");
  ASSERT_EQ(Asked(), 1U);
  EXPECT_EQ(channel_->asked()[0].preview, "--- f\n+++ f\n@@ -1 +1 @@\n-a\n+b\n");
}

TEST_F(EditingAsked, WhatChangedMeanwhileIsNeverLost) {
  Start([&](const Question&) -> Result<Choice> {
    WriteFile(At("w/f"), "somebody else's a\n");
    return Choice::kOnce;
  });
  WriteFile(At("w/f"), "a\n");
  EXPECT_EQ(CallCode("replace", R"({"path": "f", "old_string": "a", "new_string": "b"})"),
            "STALE_FILE");
  EXPECT_EQ(ReadFile(At("w/f")), "somebody else's a\n");
  Start([&](const Question&) -> Result<Choice> {
    ::unlink(At("w/f").c_str());
    return Choice::kOnce;
  });
  EXPECT_EQ(CallCode("replace", R"({"path": "f", "old_string": "a", "new_string": "b"})"),
            "STALE_FILE");
  EXPECT_FALSE(Exists(At("w/f")));
}

}  // namespace
}  // namespace cordon::testing
