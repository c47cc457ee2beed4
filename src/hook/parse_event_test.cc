#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hook/event.h"

namespace cordon::hook {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;

std::string ToolUse(std::string_view tool, std::string_view input) {
  std::string text = R"({"session_id":"s","hook_event_name":"PreToolUse","cwd":"/w","tool_name":")";
  text += tool;
  text += R"(","tool_input":)";
  text += input;
  text += "}";
  return text;
}

Event Parsed(Agent agent, std::string_view text) {
  Result<Event> event = ParseEvent(agent, text);
  if (!event) ADD_FAILURE() << event.error().detail << " in " << text;
  return event ? *event : Event();
}

TEST(ParseEvent, KnowsWhatAToolDoesWithItsPath) {
  const Event read = Parsed(Agent::kClaude, ToolUse("Read", R"({"file_path":"a"})"));
  EXPECT_EQ(read.session, "s");
  EXPECT_EQ(read.cwd, "/w");
  EXPECT_EQ(read.kind, policy::ToolKind::kRead);
  EXPECT_THAT(read.paths, ElementsAre(PathUse{"a", Operation::kRead}));
  const Event write = Parsed(Agent::kClaude, ToolUse("Edit", R"({"file_path":"a"})"));
  EXPECT_EQ(write.kind, policy::ToolKind::kWrite);
  EXPECT_THAT(write.paths, ElementsAre(PathUse{"a", Operation::kWrite}));
}

TEST(ParseEvent, ReadsAPatternFromTheToolsDirectory) {
  const Event event =
      Parsed(Agent::kClaude, ToolUse("Glob", R"({"pattern":"../*.c","path":"src"})"));
  EXPECT_THAT(event.paths,
              ElementsAre(PathUse{"src/../*.c", Operation::kList, PathUse::Form::kPattern},
                          PathUse{"src", Operation::kList}));
  const Event absolute =
      Parsed(Agent::kClaude, ToolUse("Glob", R"({"pattern":"/etc/*","path":"src"})"));
  EXPECT_EQ(absolute.paths.front().path, "/etc/*");
}

TEST(ParseEvent, PutsWordsOfACommandTogetherSoThatTheyStayWords) {
  const Event event = Parsed(
      Agent::kCodex, ToolUse("Bash", R"({"command":["bash","-lc","it's"],"workdir":"sub"})"));
  EXPECT_THAT(event.commands, ElementsAre(CommandUse{R"('bash' '-lc' 'it'\''s')", "sub"}));
}

TEST(ParseEvent, TakesEveryFileOfAPatch) {
  const Event event = Parsed(
      Agent::kCodex,
      ToolUse(
          "apply_patch",
          R"({"command":"*** Begin Patch\n*** Add File: a b\n+x\n  *** Delete File:c\r\n*** Update File: d\n*** Move to: e\n*** End Patch"})"));
  EXPECT_THAT(event.paths,
              ElementsAre(PathUse{"a b", Operation::kWrite}, PathUse{"c", Operation::kDelete},
                          PathUse{"d", Operation::kWrite}, PathUse{"e", Operation::kWrite}));
}

TEST(ParseEvent, LooksForPathsInToolsItDoesNotKnow) {
  const Event event = Parsed(Agent::kClaude, ToolUse("mcp__x__delete_things", R"({
      "items":[{"file-path":"a","note":"/etc"},{"Path":["b","c"]}],"uri":"file:///d%20e",
      "file":"two\nlines","count":3,"command":"ls"})"));
  EXPECT_THAT(event.paths,
              ElementsAre(PathUse{"a", Operation::kDelete}, PathUse{"b", Operation::kDelete},
                          PathUse{"c", Operation::kDelete}, PathUse{"/d e", Operation::kDelete},
                          PathUse{"/d%20e", Operation::kDelete}));
  EXPECT_THAT(event.mentions, IsSupersetOf({"/etc", "two\nlines", "two", "lines"}));
  EXPECT_THAT(event.commands, ElementsAre(CommandUse{"ls", "", CommandUse::Certainty::kPerhaps}));
}

// Whoever sets a server up gives it its name.
TEST(ParseEvent, TakesNoServersWordForBeingCordons) {
  for (const Agent agent : {Agent::kClaude, Agent::kCodex}) {
    const Event event = Parsed(agent, ToolUse("mcp__cordon__write_file", R"({"path":"/etc/x"})"));
    EXPECT_THAT(event.paths, ElementsAre(PathUse{"/etc/x", Operation::kWrite}));
  }
}

TEST(ParseEvent, HasNoConcernWithOtherEvents) {
  EXPECT_TRUE(Parsed(Agent::kGemini, R"({"hook_event_name":"AfterTool"})").touches_nothing());
  EXPECT_TRUE(Parsed(Agent::kCursor, R"({"hook_event_name":"stop"})").touches_nothing());
  EXPECT_TRUE(
      Parsed(Agent::kClaude, R"({"hook_event_name":"PostToolUse","tool_name":"x","tool_input":{}})")
          .touches_nothing());
  EXPECT_TRUE(
      Parsed(Agent::kCursor, R"({"hook_event_name":"afterShellExecution","command":"cat .env"})")
          .touches_nothing());
}

TEST(ParseEvent, RefusesACallAtAnEventNobodyKnows) {
  for (const Agent agent : {Agent::kClaude, Agent::kCodex, Agent::kGemini, Agent::kCursor}) {
    for (const char* text :
         {R"({"hook_event_name":"preTOOLuse2","tool_name":"Read","tool_input":{}})",
          R"({"hook_event_name":"beforeX","command":"ls"})",
          R"({"hook_event_name":"beforeX","file_path":"a"})"}) {
      const Result<Event> event = ParseEvent(agent, text);
      ASSERT_FALSE(event) << text;
      EXPECT_THAT(event.error().detail, HasSubstr("not known"));
    }
    EXPECT_TRUE(Parsed(agent, R"({"hook_event_name":"beforeX","prompt":"a"})").touches_nothing());
  }
}

TEST(ParseEvent, FindsPathsUnderOtherNamesAndSpellings) {
  const Event event = Parsed(Agent::kClaude, ToolUse("mcp__x__read", R"({
      "outputDir":"a","Config_File":"b","url":"FILE://host/c","link":"https://x/d",
      "files":{"e/f":"text"},"other":{"g/h":1}})"));
  std::vector<std::string> paths;
  for (const PathUse& use : event.paths) paths.push_back(use.path);
  EXPECT_THAT(paths, IsSupersetOf({"a", "b", "/c", "e/f"}));
  EXPECT_THAT(paths, ::testing::Not(Contains("g/h")));
  EXPECT_THAT(event.mentions, ::testing::Not(Contains("https://x/d")));
  EXPECT_THAT(event.mentions, IsSupersetOf({"g/h", "text"}));
}

TEST(ParseEvent, TakesAListOfWordsForACommandToo) {
  const Event event =
      Parsed(Agent::kClaude, ToolUse("mcp__x__run", R"({"command":["cat","a b"]})"));
  EXPECT_THAT(event.commands,
              Contains(CommandUse{"'cat' 'a b'", "", CommandUse::Certainty::kPerhaps}));
}

TEST(ParseEvent, ReadsAFilterAsGlobsBelowTheToolsDirectory) {
  const Event event = Parsed(
      Agent::kClaude, ToolUse("Grep", R"({"pattern":"x","path":"src","glob":"*.{a,b}, !c d"})"));
  EXPECT_THAT(event.paths,
              ElementsAre(PathUse{"src/**/*.{a,b}", Operation::kRead, PathUse::Form::kFilter},
                          PathUse{"src/**/d", Operation::kRead, PathUse::Form::kFilter},
                          PathUse{"src", Operation::kRead}));
}

TEST(ParseEvent, TakesWhatIsTypedForCommandsIfItIsWholeLines) {
  const Event event =
      Parsed(Agent::kCodex, ToolUse("write_stdin", R"({"session_id":1,"chars":"ls\n"})"));
  EXPECT_THAT(event.commands, ElementsAre(CommandUse{"ls\n", "", CommandUse::Certainty::kTyped}));
  for (const char* harmless : {R"({"session_id":1,"chars":""})", R"({"chars":"\u0003"})"}) {
    EXPECT_TRUE(Parsed(Agent::kCodex, ToolUse("write_stdin", harmless)).touches_nothing());
  }
  for (const char* chars : {"cat .e", "cat .e\\t\\n", "cat .x\\u007f\\n", "\\u001b[A\\n"}) {
    const std::string input = std::string(R"({"chars":")") + chars + R"("})";
    EXPECT_FALSE(ParseEvent(Agent::kCodex, ToolUse("write_stdin", input))) << chars;
  }
}

// Those that Unicode calls white space, which the agent cuts off.
TEST(ParseEvent, CutsEveryBlankOffThePathsOfAPatch) {
  const Event event = Parsed(
      Agent::kCodex,
      ToolUse(
          "apply_patch",
          R"({"input":"*** Begin Patch\n\u2003*** Add File: a\u00a0\n*** Delete File:  b\u3000\u0085\n*** End Patch"})"));
  EXPECT_THAT(event.paths,
              ElementsAre(PathUse{"a", Operation::kWrite}, PathUse{"b", Operation::kDelete},
                          PathUse{" b", Operation::kDelete}));
}

TEST(ParseEvent, GivesCursorsCommandsTheFirstRootWhereItNamesNoDirectory) {
  const Event event = Parsed(
      Agent::kCursor,
      R"({"hook_event_name":"beforeShellExecution","workspace_roots":["/a","/b"],"command":"ls","cwd":""})");
  EXPECT_EQ(event.cwd, "/a");
  EXPECT_THAT(event.workspace_roots, ElementsAre("/a", "/b"));
  EXPECT_THAT(event.commands, ElementsAre(CommandUse{"ls", ""}));
}

TEST(ParseEvent, TakesAToolOfAnotherServerForNoneOfCursorsOwn) {
  const Event event = Parsed(
      Agent::kCursor,
      R"({"hook_event_name":"beforeMCPExecution","workspace_roots":["/a"],"tool_name":"Read","tool_input":"{\"path\":\"b\"}"})");
  EXPECT_EQ(event.tool, "MCP:Read");
  EXPECT_THAT(event.paths, ElementsAre(PathUse{"b", Operation::kRead}));
  EXPECT_EQ(AskingAt(event), Asking::kHere);
}

TEST(ParseEvent, RefusesWhatItNeedsAndDoesNotGet) {
  for (const std::string& text :
       {ToolUse("Read", "{}"), ToolUse("Read", R"({"file_path":null})"),
        ToolUse("Read", R"({"file_path":7})"), ToolUse("Read", R"({"file_path":[["a"]]})"),
        ToolUse("Bash", R"({"command":{}})"), ToolUse("Read", "[]"), ToolUse("", "{}"),
        std::string(R"({"hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{}})")}) {
    const Result<Event> event = ParseEvent(Agent::kClaude, text);
    ASSERT_FALSE(event) << text;
    EXPECT_EQ(event.error().code, ErrorCode::kInvalidArguments);
    EXPECT_THAT(event.error().detail, Not(IsEmpty()));
  }
}

TEST(ParseEvent, HasLimits) {
  const Result<Event> huge = ParseEvent(Agent::kClaude, std::string(kMaxInputBytes + 1, ' '));
  ASSERT_FALSE(huge);
  EXPECT_EQ(huge.error().code, ErrorCode::kTooLarge);
  std::string paths = "[\"a\"";
  for (std::size_t i = 0; i < kMaxUses; ++i) paths += ",\"a\"";
  const Result<Event> many = ParseEvent(Agent::kClaude, ToolUse("x", "{\"paths\":" + paths + "]}"));
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().code, ErrorCode::kLimitExceeded);
}

TEST(Asking, IsPossibleOnlyWhereTheAnswerIsRead) {
  Event event;
  event.agent = Agent::kCodex;
  EXPECT_EQ(AskingAt(event), Asking::kImpossible);
  event.agent = Agent::kGemini;
  EXPECT_EQ(AskingAt(event), Asking::kImpossible);
  event.agent = Agent::kClaude;
  EXPECT_EQ(AskingAt(event), Asking::kHere);
  event.agent = Agent::kCursor;
  event.name = "beforeReadFile";
  EXPECT_EQ(AskingAt(event), Asking::kImpossible);
  event.name = "preToolUse";
  event.tool = "Write";
  EXPECT_EQ(AskingAt(event), Asking::kImpossible);
  event.tool = "Shell";
  EXPECT_EQ(AskingAt(event), Asking::kElsewhere);
  event.name = "beforeShellExecution";
  EXPECT_EQ(AskingAt(event), Asking::kHere);
}

}  // namespace
}  // namespace cordon::hook
