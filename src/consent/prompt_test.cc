#include "consent/prompt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace cordon::consent {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;
using Lines = std::vector<std::string>;

Question WriteHosts() {
  Question question;
  question.operation = Operation::kWrite;
  question.path = question.asked = "/etc/hosts";
  question.directory = "/etc";
  return question;
}

TEST(Prompt, IsLaidOutAsInTheSourceDocument) {
  EXPECT_THAT(
      PromptLines(WriteHosts(), 2, 80),
      ElementsAre("🛡️  Sandbox Protection", "", "Tool wants to write to: /etc/hosts", "",
                  "This path is outside the sandbox. Choose an option:", "  [1] Allow once",
                  "  [2] Allow all operations in /etc", "> [3] Deny", "", "Choice:"));
}

TEST(Prompt, ShowsWhatIsKnown) {
  Question question = WriteHosts();
  question.operation = Operation::kRename;
  question.tool = "move";
  question.actor = "a \"b\"";
  question.session = "s";
  question.asked = "../etc/hosts";
  question.target = "/etc/new";
  question.state = "a file of 120 bytes";
  question.preview = "-a\n+b\n\n  c";
  EXPECT_THAT(PromptLines(question, 0, 80),
              ElementsAre("🛡️  Sandbox Protection", "", "Tool wants to rename: /etc/hosts",
                          "  To: /etc/new", R"(  Asked by "move", agent "a \"b\"", session "s")",
                          "  State: a file of 120 bytes", "  As asked: ../etc/hosts", "", "  | -a",
                          "  | +b", "  | ", "  |   c", "",
                          "This path is outside the sandbox. Choose an option:", "> [1] Allow once",
                          "  [2] Allow all operations in /etc", "  [3] Deny", "", "Choice:"));
}

TEST(Prompt, SaysWhatEachOperationDoes) {
  Question question = WriteHosts();
  for (const auto& [operation, words] :
       {std::pair<Operation, std::string>{Operation::kRead, "read"},
        {Operation::kWrite, "write to"},
        {Operation::kCreate, "create"},
        {Operation::kDelete, "delete"},
        {Operation::kList, "list"},
        {Operation::kStat, "look at"},
        {Operation::kMkdir, "make the directory"},
        {Operation::kRename, "rename"}}) {
    question.operation = operation;
    EXPECT_EQ(PromptLines(question, 0, 80)[2], "Tool wants to " + words + ": /etc/hosts");
  }
}

TEST(Prompt, OffersWhatTheQuestionOffers) {
  Question question = WriteHosts();
  const auto options = [&] {
    std::string text;
    for (const PromptOption& option : OptionsOf(question)) {
      text += option.key;
      text += std::string(ChoiceName(option.choice)) + "=" + option.label + ";";
    }
    return text;
  };
  EXPECT_EQ(options(), "1once=Allow once;2directory=Allow all operations in /etc;3deny=Deny;");
  question.trusted = "writing";
  EXPECT_EQ(options(), "1once=Allow once;2directory=Allow all operations in /etc;3deny=Deny;");
  question.reason = Reason::kTool;
  EXPECT_EQ(options(), "1once=Allow once;2tool=Allow writing for this session;3deny=Deny;");
  question.directory.reset();
  question.trusted.reset();
  EXPECT_EQ(options(), "1once=Allow once;3deny=Deny;");
  EXPECT_THAT(PromptLines(question, 1, 80),
              Contains("This kind of tool asks first. Choose an option:"));
  EXPECT_THAT(PromptLines(question, 1, 80), Contains("> [3] Deny"));
}

TEST(Prompt, NarrowWindowsBreakOurOwnWordsBetweenThem) {
  EXPECT_THAT(PromptLines(WriteHosts(), 2, 20),
              ElementsAre("Sandbox Protection", "", "Tool wants to write", "  to: /etc/hosts", "",
                          "This path is outside", "  the sandbox.",
                          "  Choose an option:", "  [1] Allow once", "  [2] Allow all",
                          "  operations in /etc", "> [3] Deny", "", "Choice:"));
  EXPECT_EQ(PromptLines(WriteHosts(), 2, 3), PromptLines(WriteHosts(), 2, 20));
}

TEST(Prompt, CutsAndCountsAPreview) {
  Question question = WriteHosts();
  for (int i = 0; i < 30; ++i) question.preview += "+" + std::to_string(i) + "\n";
  Lines lines = PromptLines(question, 2, 80);
  EXPECT_THAT(lines, Contains("  | +9"));
  EXPECT_THAT(lines, Not(Contains("  | +10")));
  EXPECT_THAT(lines, Contains("  (20 more lines are not shown)"));
  question.preview = std::string(100'000, 'x') + "\nlast";
  lines = PromptLines(question, 2, 40);
  EXPECT_EQ(std::count_if(lines.begin(), lines.end(),
                          [](const std::string& line) { return line.find("xxx") != line.npos; }),
            10);
  EXPECT_THAT(lines, Contains("  (cut here; 1 more line is not shown)"));
  EXPECT_LE(lines.size(), 24U);
}

TEST(Prompt, OnlyWhatIsAgreedToIsShownWhole) {
  Question question = WriteHosts();
  question.asked = std::string(60'000, 'x');
  question.actor = question.tool = question.session = question.state = question.asked;
  const Lines lines = PromptLines(question, 2, 80);
  EXPECT_LE(lines.size(), 40U);
  EXPECT_EQ(lines[2], "Tool wants to write to: /etc/hosts");
  EXPECT_NE(testing::PrintToString(lines).find("... (60000 bytes)"), std::string::npos);
  question.path = question.target = "/" + std::string(60'000, '#');
  question.directory = question.path;
  std::size_t shown = 0;
  for (const std::string& line : PromptLines(question, 2, 80)) {
    shown += static_cast<std::size_t>(std::count(line.begin(), line.end(), '#'));
  }
  EXPECT_EQ(shown, 180'000U);
}

TEST(Prompt, SaysInOneLineWhatBecameOfIt) {
  Question question = WriteHosts();
  EXPECT_THAT(ChosenLines(question, Choice::kDirectory, 80),
              ElementsAre("Allow all operations in /etc: write to /etc/hosts"));
  EXPECT_THAT(EndedLines(question, "timed out: denied", 80),
              ElementsAre("timed out: denied: write to /etc/hosts"));
  question.operation = Operation::kRename;
  question.target = "/b";
  EXPECT_THAT(ChosenLines(question, Choice::kDeny, 80),
              ElementsAre("Deny: rename /etc/hosts to /b"));
}

TEST(Prompt, ACommandIsShownWholeWithWhereItRuns) {
  Question question;
  question.tool = "bash";
  question.operation = Operation::kList;
  question.reason = Reason::kTool;
  question.path = "/home/me/project";
  question.command = "rm -rf build\necho \x1b[2Kdone";
  question.preview = "Risk: high\nDeletes: build and all below\n";
  std::string text;
  for (const std::string& line : PromptLines(question, 0, 100)) text += line + "\n";
  EXPECT_NE(text.find("Tool wants to run: rm -rf build\\n"), std::string::npos) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(text.find("In: /home/me/project"), std::string::npos);
  EXPECT_NE(text.find("Deletes: build"), std::string::npos);
  EXPECT_EQ(text.find("list"), std::string::npos);
}

}  // namespace
}  // namespace cordon::consent
