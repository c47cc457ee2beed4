// What undo does, and what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/undo/undo_fixture.h"
#include "undo/best_effort.h"

namespace cordon::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(UndoTest, AWriteIsTakenBackWithModeAndTime) {
  ::chmod(At("w/a").c_str(), 0640);
  struct stat old;
  ASSERT_EQ(::stat(At("w/a").c_str(), &old), 0);
  ASSERT_TRUE(Write("a", "agent"));
  ASSERT_EQ(Undo(), "done");
  struct stat now;
  ASSERT_EQ(::stat(At("w/a").c_str(), &now), 0);
  EXPECT_EQ(ReadFile(At("w/a")), "inside");
  EXPECT_EQ(now.st_mode, old.st_mode);
  EXPECT_EQ(now.st_mtim.tv_nsec, old.st_mtim.tv_nsec);
}

TEST_F(UndoTest, OneCallOfAToolIsOneOperation) {
  ASSERT_EQ(CallCode("write_file", R"({"path": "new/deep/er/f", "content": "x"})"), "done");
  EXPECT_EQ(Operations(), 1U);
  ASSERT_EQ(Undo(), "done");
  EXPECT_FALSE(Exists(At("w/new")));
}

TEST_F(UndoTest, HistoryMarksWhatWasUndoneByWhat) {
  ASSERT_TRUE(Write("a", "agent"));
  ASSERT_EQ(Undo(), "done");
  const std::string told = Told("history", "{}");
  EXPECT_THAT(told, HasSubstr("\"undone_by\":2"));
  EXPECT_THAT(told, HasSubstr("\"undoes\":1"));
  EXPECT_EQ(Undo(R"({"operation": 1})"), "INVALID_ARGUMENTS");
  EXPECT_EQ(Undo(R"({"operation": 2})"), "done");
  EXPECT_EQ(ReadFile(At("w/a")), "agent");
}

TEST_F(UndoTest, WhatAPersonChangedSinceStaysWithTheDiff) {
  ASSERT_TRUE(Write("a", "one\ntwo\n"));
  ASSERT_TRUE(Write("sub/b", "agent"));
  WriteFile(At("w/a"), "one\nmine\n");
  const std::string tree = Tree();
  EXPECT_THAT(Told("undo", R"({"steps": 2})"),
              AllOf(HasSubstr("STALE_FILE"), HasSubstr("-two\\n+mine\\n")));
  EXPECT_EQ(Tree(), tree);    // nor the other one
  EXPECT_EQ(Undo(), "done");  // which alone can be
  EXPECT_EQ(Undo(), "STALE_FILE");
}

TEST_F(UndoTest, EveryKindOfChangeByAPersonIsSeen) {
  ASSERT_EQ(::mkdir(At("w/made").c_str(), 0755), 0);
  struct Case {
    const char* name;
    std::function<Status()> change;
    std::function<void()> person;
  };
  const guard::Call call = Changing();
  const std::vector<Case> cases{
      {"mode", [&] { return Write("f1", "x"); }, [&] { ::chmod(At("w/f1").c_str(), 0777); }},
      {"gone", [&] { return Write("f2", "x"); }, [&] { ::unlink(At("w/f2").c_str()); }},
      {"link instead", [&] { return Write("f3", "x"); },
       [&] {
         ::unlink(At("w/f3").c_str());
         ASSERT_EQ(::symlink("a", At("w/f3").c_str()), 0);
       }},
      {"back again", [&] { return Remove("a"); }, [&] { WriteFile(At("w/a"), "mine"); }},
      {"not empty", [&] { return guard_->Mkdir(call, "dir"); },
       [&] { WriteFile(At("w/dir/f"), "mine"); }},
      {"other link", [&] { return guard_->Symlink(call, "sub", "l"); },
       [&] {
         ::unlink(At("w/l").c_str());
         ASSERT_EQ(::symlink("made", At("w/l").c_str()), 0);
       }},
      {"moved and changed",
       [&] { return Write("m1", "x") ? guard_->Rename(call, "m1", "m2") : Status(); },
       [&] { WriteFile(At("w/m2"), "mine"); }},
      {"old name taken",
       [&] { return Write("n1", "x") ? guard_->Rename(call, "n1", "n2") : Status(); },
       [&] { WriteFile(At("w/n1"), "mine"); }},
      {"appended more", [&] { return guard_->Append(call, "ap", "agent"); },
       [&] { std::ofstream(At("w/ap"), std::ios::app) << "mine"; }},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    ASSERT_TRUE(one.change());
    one.person();
    const std::string tree = Tree();
    EXPECT_EQ(Undo(), "STALE_FILE");
    EXPECT_EQ(Tree(), tree);
  }
}

TEST_F(UndoTest, AChangeBetweenTwoOperationsIsSeen) {
  ASSERT_TRUE(Write("a", "first"));
  WriteFile(At("w/a"), "mine");
  ASSERT_TRUE(Write("a", "second"));
  EXPECT_EQ(Undo(R"({"steps": 2})"), "STALE_FILE");
  EXPECT_EQ(ReadFile(At("w/a")), "second");
  EXPECT_EQ(Undo(), "done");
  EXPECT_EQ(ReadFile(At("w/a")), "mine");
  EXPECT_EQ(Undo(), "STALE_FILE");
}

TEST_F(UndoTest, DenyRulesHoldForUndo) {
  ASSERT_TRUE(Write("sub/new.txt", "x"));
  ASSERT_TRUE(Write("a", "agent"));
  policy::DenyRule rule;
  rule.pattern = "a";
  settings_.deny.push_back(rule);
  StartKeeping();
  const std::string tree = Tree();
  EXPECT_EQ(Undo(), "PATH_DENIED");
  EXPECT_EQ(Tree(), tree);
}

TEST_F(UndoTest, ConsentHoldsForUndo) {
  settings_.profile = policy::Profile::kInteractive;
  policy::ToolRule rule;
  rule.name = "undo";
  rule.level = policy::ToolLevel::kAlways;
  ASSERT_TRUE(Write("a", "agent"));
  settings_.tools.push_back(rule);
  StartKeeping();
  EXPECT_EQ(Undo(), "CONSENT_UNAVAILABLE");
  EXPECT_EQ(ReadFile(At("w/a")), "agent");
}

TEST_F(UndoTest, TheJournalIsOutOfReach) {
  settings_.roots = {base_};
  settings_.own.push_back(
      {At("state"), policy::Protected::From::kEverything, policy::Protected::Names::kThis});
  StartKeeping();
  ASSERT_TRUE(Write("w/a", "agent"));
  EXPECT_EQ(CodeOf(Read("state/undo/journal")), "PATH_DENIED");
  EXPECT_EQ(CodeOf(Write("state/undo/journal", "")), "PATH_DENIED");
  EXPECT_EQ(CodeOf(guard_->RemoveAll({"delete_path", policy::ToolKind::kDelete, {}}, "state")),
            "PATH_DENIED");
  EXPECT_EQ(Undo(), "done");
  struct stat stat;
  for (const char* name : {"state/undo", "state/undo/objects"}) {
    ASSERT_EQ(::stat(At(name).c_str(), &stat), 0);
    EXPECT_EQ(stat.st_mode & 0777, 0700U) << name;
  }
}

TEST_F(UndoTest, WhatIsTooLargeHappensAndIsSaidNotToBeUndoable) {
  undo::Limits limits;
  limits.file = 100;
  StartKeeping(limits);
  WriteFile(At("w/big"), std::string(101, 'x'));
  ASSERT_TRUE(Write("big", "small"));
  EXPECT_THAT(Told("history", "{}"), HasSubstr("not_undoable"));
  EXPECT_EQ(Undo(), "UNSUPPORTED");
  EXPECT_EQ(ReadFile(At("w/big")), "small");
}

TEST_F(UndoTest, WhatMayNotBeReadIsNotToldByADifference) {
  policy::DenyRule rule;
  rule.pattern = "a";
  rule.operations = {};
  rule.operations.set(static_cast<std::size_t>(Operation::kRead));
  settings_.deny.push_back(rule);
  StartKeeping();
  ASSERT_TRUE(Write("a", "agent"));
  ASSERT_EQ(Undo(), "done");  // what is there now is in the journal, too
  WriteFile(At("w/a"), "a person's own words");
  const std::string told = Told("undo", R"({"operation": 2})");
  EXPECT_THAT(
      told, AllOf(HasSubstr("STALE_FILE"), Not(HasSubstr("inside")), Not(HasSubstr("own words"))));
}

TEST_F(UndoTest, WhatMayBeWrittenButNotReadIsKeptAllTheSame) {
  policy::DenyRule rule;
  rule.pattern = "a";
  rule.operations = {};
  rule.operations.set(static_cast<std::size_t>(Operation::kRead));
  settings_.deny.push_back(rule);
  StartKeeping();
  EXPECT_EQ(CodeOf(Read("a")), "PATH_DENIED");
  ASSERT_TRUE(Write("a", "agent"));
  EXPECT_EQ(Undo(), "done");
  EXPECT_EQ(ReadFile(At("w/a")), "inside");
}

TEST_F(UndoTest, TheOldestIsForgottenFirst) {
  undo::Limits limits;
  limits.total = 400'000;
  StartKeeping(limits);
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(
        Write("a", std::string(10'000, static_cast<char>('a' + i % 26)) + std::to_string(i)));
  }
  std::uintmax_t size = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(At("state/undo"))) {
    if (file.is_regular_file()) size += file.file_size();
  }
  EXPECT_LT(size, 450'000U);
  const undo::History history = *journal_->Read();
  EXPECT_GT(history.operations.size(), 10U);
  EXPECT_LT(history.operations.size(), 50U);
  EXPECT_EQ(history.operations.back().id, 200U);
  ASSERT_EQ(Undo(R"({"session": "s1"})"), "done");
  const undo::OperationId oldest = history.operations.front().id;
  EXPECT_EQ(ReadFile(At("w/a")).substr(10'000), std::to_string(oldest - 2));
}

TEST_F(UndoTest, ADamagedObjectIsNeverGivenBack) {
  ASSERT_TRUE(Write("a", "agent"));
  const std::string object = At("state/undo/objects/") + ToHex(Sha256("inside"));
  ASSERT_EQ(ReadFile(object), "inside");
  WriteFile(object, "insidf");
  EXPECT_EQ(Undo(), "IO_ERROR");
  EXPECT_EQ(ReadFile(At("w/a")), "agent");
  ::unlink(object.c_str());
  EXPECT_EQ(Undo(), "NOT_FOUND");
  EXPECT_EQ(ReadFile(At("w/a")), "agent");
  WriteFile(object, "inside");
  ::chmod(object.c_str(), 0600);
  EXPECT_EQ(Undo(), "done");
  EXPECT_EQ(ReadFile(At("w/a")), "inside");
}

TEST_F(UndoTest, ATornLineIsPassedOver) {
  ASSERT_TRUE(Write("a", "first"));
  ASSERT_TRUE(Write("sub/b", "x"));
  const std::string journal = At("state/undo/journal");
  for (const std::size_t cut : {1U, 30U}) {
    const std::string whole = ReadFile(journal);
    std::filesystem::resize_file(journal, whole.size() - cut);
    StartKeeping();
    ASSERT_TRUE(Write("c" + std::to_string(cut), "y"));
  }
  EXPECT_EQ(Undo(R"({"session": "s1"})"), "done") << Told("undo", R"({"session": "s1"})");
  EXPECT_EQ(ReadFile(At("w/a")), "inside");
  EXPECT_FALSE(Exists(At("w/sub/b")));
  EXPECT_FALSE(Exists(At("w/c1")));
}

TEST_F(UndoTest, WhatCannotBeKeptDoesNotHappen) {
  std::filesystem::remove_all(At("state/undo/objects"));
  WriteFile(At("w/a"), "nowhere else");
  EXPECT_EQ(CodeOf(Write("a", "agent")), "IO_ERROR");
  EXPECT_EQ(CodeOf(Remove("a")), "IO_ERROR");
  EXPECT_EQ(ReadFile(At("w/a")), "nowhere else");
  std::vector<std::string> warnings;
  keeper_ = std::make_shared<undo::BestEffort>(
      journal_, [&](const std::string& text) { warnings.push_back(text); });
  guard_.reset();
  Start();
  EXPECT_EQ(CodeOf(Write("a", "agent")), "done");
  EXPECT_EQ(ReadFile(At("w/a")), "agent");
  ASSERT_FALSE(warnings.empty());
  EXPECT_THAT(warnings.front(), AllOf(HasSubstr("cannot be undone"), Not(HasSubstr("refused"))));
}

TEST_F(UndoTest, WithoutAJournalUndoSaysSo) {
  keeper_.reset();
  guard_.reset();
  Start();
  EXPECT_EQ(Undo(), "UNSUPPORTED");
  EXPECT_EQ(CallCode("history", "{}"), "UNSUPPORTED");
}

TEST_F(UndoTest, AnotherWorkspaceIsNotTouched) {
  ASSERT_TRUE(Write("a", "agent"));
  settings_.roots = {At("o")};
  StartKeeping();
  EXPECT_EQ(Undo(), "NOT_FOUND");
  EXPECT_EQ(CodeOf(Call("history", "{}")), "done");
  EXPECT_THAT(Told("history", "{}"), HasSubstr("\"operations\":[]"));
}

TEST_F(UndoTest, ALinkThatLedOutIsGivenBackAsItWas) {
  ASSERT_EQ(::symlink("/etc/passwd", At("w/out").c_str()), 0);
  ASSERT_TRUE(Remove("out"));
  ASSERT_EQ(Undo(), "done");
  EXPECT_EQ(std::filesystem::read_symlink(At("w/out")).string(), "/etc/passwd");
  EXPECT_NE(CodeOf(Read("out")), "done");
}

TEST_F(UndoTest, BasedOnStillHolds) {
  guard::WriteOptions options;
  options.based_on = Sha256("something else");
  EXPECT_EQ(CodeOf(Write("a", "agent", options)), "STALE_FILE");
  options.based_on = Sha256("inside");
  EXPECT_EQ(CodeOf(Write("a", "agent", options)), "done");
}

}  // namespace
}  // namespace cordon::testing
