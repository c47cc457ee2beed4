// What the table in tests/shell does not show: limits, and the answer's form.
#include "shell/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace cordon::shell {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

bool IsHighAndUnknown(const std::string& command) {
  const Explanation explanation = Explain(command);
  return explanation.risk == Risk::kHigh && !explanation.unknown.empty();
}

std::string Repeated(std::string_view piece, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += piece;
  return text;
}

TEST(ExplainTest, TellsWhereAPathStarts) {
  const Explanation explanation = Explain("cat a /b ~/c $HOME/d \"~/e\" $f/g");
  ASSERT_EQ(explanation.files.size(), 6U);
  EXPECT_EQ(explanation.files[0].start, Start::kWorkingDirectory);
  EXPECT_EQ(explanation.files[1].start, Start::kRoot);
  EXPECT_EQ(explanation.files[2].start, Start::kHome);
  EXPECT_EQ(explanation.files[3].path, "~/d");
  EXPECT_EQ(explanation.files[3].start, Start::kHome);
  EXPECT_EQ(explanation.files[4].start, Start::kWorkingDirectory);
  EXPECT_EQ(explanation.files[5].start, Start::kUnknown);
  EXPECT_EQ(explanation.files[5].path, "$f/g");
}

TEST(ExplainTest, TakesOnlyADescriptorItselfForNoFile) {
  EXPECT_THAT(Explain("cat /dev/fd/3 /dev/null <(echo)").files, IsEmpty());
  for (const char* path : {"/dev/fd/../../etc/passwd", "/dev/fd/3/x", "/dev/fd/"}) {
    const Explanation explanation = Explain("cat " + std::string(path));
    ASSERT_EQ(explanation.files.size(), 1U) << path;
    EXPECT_EQ(explanation.files[0].path, path);
  }
}

TEST(ExplainTest, TellsProgramsWithTheirArguments) {
  const Explanation explanation = Explain("sudo nice -n 3 rm 'a b' $c *.d");
  ASSERT_EQ(explanation.programs.size(), 3U);
  const Program& program = explanation.programs[2];
  EXPECT_EQ(program.name, (Argument{"rm", Exactness::kExact}));
  EXPECT_THAT(program.arguments,
              ElementsAre(Argument{"a b", Exactness::kExact}, Argument{"$c", Exactness::kUnknown},
                          Argument{"*.d", Exactness::kPattern}));
  EXPECT_THAT(program.through, ElementsAre("sudo", "nice"));
}

TEST(ExplainTest, ListsEachThingOnceAndTheGravestReasonFirst) {
  const Explanation explanation = Explain("rm a; rm a; rm -r b; rm a");
  EXPECT_EQ(explanation.programs.size(), 2U);
  EXPECT_EQ(explanation.files.size(), 2U);
  ASSERT_FALSE(explanation.reasons.empty());
  EXPECT_EQ(explanation.reasons[0].code, "deletes-tree");
  EXPECT_EQ(explanation.risk, Risk::kHigh);
}

TEST(ExplainTest, NothingIsNoRisk) {
  const Explanation explanation = Explain(" \n\t");
  EXPECT_THAT(explanation.programs, IsEmpty());
  EXPECT_EQ(explanation.risk, Risk::kLow);
}

TEST(ExplainTest, WhatIsTooMuchIsUnknownAndHigh) {
  EXPECT_TRUE(IsHighAndUnknown(std::string(kMaxCommandBytes + 1, 'a')));
  EXPECT_TRUE(IsHighAndUnknown(std::string("ls\0rm a", 7)));
  EXPECT_TRUE(IsHighAndUnknown(Repeated("ls;", 60'000)));
  EXPECT_TRUE(IsHighAndUnknown(Repeated("( ", 500) + "ls" + Repeated(")", 500)));
  EXPECT_TRUE(IsHighAndUnknown(Repeated("eval ", 100) + "ls"));
  EXPECT_TRUE(IsHighAndUnknown(Repeated("sudo ", 100) + "ls"));
  EXPECT_TRUE(IsHighAndUnknown(Repeated("env ", 5'000) + "ls"));
  std::string files = "rm";
  for (int i = 0; i < 3'000; ++i) files += " f" + std::to_string(i);
  EXPECT_TRUE(IsHighAndUnknown(files));
}

TEST(ExplainTest, ALongListIsNotADeepOne) {
  const Explanation explanation = Explain("ls" + Repeated(" && ls", 3'000));
  EXPECT_THAT(explanation.unknown, IsEmpty());
  EXPECT_EQ(explanation.programs.size(), 1U);
}

TEST(ExplainTest, EndsSoon) {
  const std::string commands[] = {
      "f() { f; f; }; f",
      "a() { ls; ls; }; b() { a; a; a; a; }; c() { b; b; b; b; }; d() { c; c; c; c; }; "
      "e() { d; d; d; d; }; g() { e; e; e; e; }; h() { g; g; g; g; }; h; h; h; h",
      "x=aaaaaaaaaaaaaaaa; " + Repeated("x=$x$x$x$x;", 40) + " rm $x",
      Repeated("while a; do ", 20) + "x=$y; y=$z; rm $x" + Repeated("; done", 20),
      Repeated("for i in a b c d e f g h; do ", 12) + "rm $i" + Repeated("; done", 12),
      Repeated("$((a ", 100'000),
      Repeated("${a:-", 100'000),
      Repeated("\"$(", 100'000),
      Repeated("{a,", 50'000),
      Repeated("`\\", 100'000),
      Repeated("<<a ", 50'000) + "\n",
      Repeated("case a in b) ", 50'000),
      Repeated("a|", 200'000),
      std::string(1'000'000, '$'),
      std::string(1'000'000, '\''),
      std::string(1'000'000, '['),
      "rm " + std::string(1'000'000, '*'),
      Repeated("a=b ", 200'000),
      Repeated("x1=1;(y);", 50'000),
  };
  for (const std::string& command : commands) {
    const auto before = std::chrono::steady_clock::now();
    static_cast<void>(Explain(command));
    EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(20))
        << command.substr(0, 60);
  }
}

TEST(ExplainTest, HasANameForEverything) {
  EXPECT_EQ(AccessName(Access::kExecute), "execute");
  EXPECT_EQ(RiskName(Risk::kMedium), "medium");
  EXPECT_EQ(ExactnessName(Exactness::kPattern), "pattern");
  EXPECT_EQ(StartName(Start::kWorkingDirectory), "working-directory");
  EXPECT_EQ(ExtentName(Extent::kTree), "tree");
}

}  // namespace
}  // namespace cordon::shell
