#include "hook/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "hook/added_rules.h"
#include "tests/tree.h"

namespace cordon::hook {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Keeps what a record said, or refuses to.
class Notes : public audit::Recorder {
 public:
  Result<std::uint64_t> Append(const audit::Record& record,
                               audit::Durability /*durability*/) override {
    if (full) {
      Error error;
      error.rule = "audit";
      return error;
    }
    seen.emplace_back(record.decision, std::string(record.asked));
    return seen.size();
  }
  std::vector<std::pair<audit::Decision, std::string>> seen;
  bool full = false;
};

class JudgeTest : public ::testing::Test {
 protected:
  JudgeTest() {
    tree_.Dir("w/src").Dir("home").File("w/src/a.c", "x").File("w/.env", "x").Dir("w/.git");
    tree_.File("out/secret", "x").Link("w/link", tree_.At("out")).Dir("w/node");
    tree_.File("w/node/deep/.env", "x").Dir("w/build");
  }

  Verdict Decide(Event event) {
    policy::Settings settings;
    settings.profile = profile_;
    settings.roots = {tree_.At("w")};
    settings.deny = policy::DefaultDenyRules();
    ProtectAgentSettings(settings);
    Result<guard::Boundary> boundary = guard::Boundary::Open(
        settings, confine::Resolver::kAuto, confine::AmbientAuthority::OfThisProcess());
    if (!boundary) {
      ADD_FAILURE() << boundary.error().detail;
      return {};
    }
    Result<guard::Boundary> in_git =
        guard::Boundary::Open(SettingsInGit(settings), confine::Resolver::kAuto,
                              confine::AmbientAuthority::OfThisProcess());
    if (!in_git) {
      ADD_FAILURE() << in_git.error().detail;
      return {};
    }
    event.agent = agent_;
    event.cwd = tree_.At("w");
    if (event.tool.empty()) event.tool = "T";
    Judge judge({*boundary, *in_git, notes_, [this](std::string_view) { return explanation_; },
                 tree_.At("home"), unknowns_},
                event);
    return judge.Decide();
  }
  Verdict Path(std::string path, Operation operation) {
    Event event;
    event.paths.push_back({std::move(path), operation});
    return Decide(std::move(event));
  }
  Verdict File(shell::FileUse use) {
    explanation_ = {};
    explanation_.files.push_back(std::move(use));
    return Command();
  }
  Verdict Command() {
    Event event;
    event.kind = policy::ToolKind::kShell;
    event.commands.push_back({"a command", ""});
    return Decide(std::move(event));
  }

  testing::Tree tree_;
  std::shared_ptr<Notes> notes_ = std::make_shared<Notes>();
  shell::Explanation explanation_;
  Agent agent_ = Agent::kClaude;
  Unknowns unknowns_ = Unknowns::kAsk;
  policy::Profile profile_ = policy::Profile::kInteractive;
};

TEST_F(JudgeTest, HasNoOpinionOnWhatIsAllowed) {
  for (const Operation operation : {Operation::kRead, Operation::kWrite, Operation::kDelete}) {
    EXPECT_EQ(Path("src/a.c", operation).answer, Answer::kNoOpinion);
  }
  EXPECT_EQ(Path("src/new/deep.c", Operation::kWrite).answer, Answer::kNoOpinion);
  EXPECT_EQ(Path("src/none", Operation::kRead).answer, Answer::kNoOpinion);
  EXPECT_THAT(notes_->seen, IsEmpty());
}

TEST_F(JudgeTest, DeniesWhatARuleCoversUnderEverySpelling) {
  for (const char* path : {".env", "./.env", "src/../.env", "nothing/../.env", "@.env", ".env/",
                           ".env/below", "@/.env"}) {
    const Verdict verdict = Path(path, Operation::kRead);
    EXPECT_EQ(verdict.answer, Answer::kDeny) << path;
    EXPECT_THAT(verdict.reason, HasSubstr("deny:.env"));
  }
}

TEST_F(JudgeTest, AsksAboutOutside) {
  for (const char* path :
       {"../out/secret", "link/secret", "nothing/../../out/secret", "~/x", "/etc/passwd"}) {
    EXPECT_EQ(Path(path, Operation::kRead).answer, Answer::kAsk) << path;
    EXPECT_EQ(Path(path, Operation::kWrite).answer, Answer::kAsk) << path;
  }
  EXPECT_EQ(notes_->seen.front(), std::pair(audit::Decision::kAsked, std::string("../out/secret")));
  profile_ = policy::Profile::kStrict;
  EXPECT_EQ(Path("link/secret", Operation::kRead).answer, Answer::kDeny);
}

TEST_F(JudgeTest, DeniesWhereNobodyCanBeAsked) {
  agent_ = Agent::kCodex;
  const Verdict verdict = Path("/etc/passwd", Operation::kRead);
  EXPECT_EQ(verdict.answer, Answer::kDeny);
  EXPECT_THAT(verdict.reason, HasSubstr("cannot ask"));
  EXPECT_THAT(notes_->seen,
              ElementsAre(std::pair(audit::Decision::kDenied, std::string("/etc/passwd"))));
}

TEST_F(JudgeTest, DeniesWhatItCannotRecordToAsk) {
  notes_->full = true;
  EXPECT_EQ(Path("/etc/passwd", Operation::kRead).answer, Answer::kDeny);
  EXPECT_EQ(Path(".env", Operation::kRead).answer, Answer::kDeny);
  explanation_.risk = shell::Risk::kHigh;
  EXPECT_EQ(Command().answer, Answer::kDeny);
}

TEST_F(JudgeTest, DeniesNamesThatAreNone) {
  EXPECT_EQ(Path(std::string("src/a\0b", 7), Operation::kRead).answer, Answer::kDeny);
  EXPECT_EQ(Path(std::string(70'000, 'x'), Operation::kRead).answer, Answer::kDeny);
}

// Whether a directory that is not there yet will take ".ENV" for ".env" is not known.
TEST_F(JudgeTest, DeniesANameThatMayBecomeADeniedOne) {
  EXPECT_EQ(Path("new/.ENV", Operation::kWrite).answer, Answer::kDeny);
  EXPECT_EQ(Path("src/.ENV", Operation::kWrite).answer, Answer::kNoOpinion);
}

TEST_F(JudgeTest, JudgesFilesOfACommandLikePaths) {
  using shell::Access;
  using shell::Start;
  shell::FileUse use;
  use.path = ".env";
  EXPECT_EQ(File(use).answer, Answer::kDeny);
  use.path = "~/x";
  use.start = Start::kHome;
  EXPECT_EQ(File(use).answer, Answer::kAsk);
  use.path = "/etc/passwd";
  use.start = Start::kRoot;
  EXPECT_EQ(File(use).answer, Answer::kAsk);
  use.access = Access::kExecute;
  EXPECT_EQ(File(use).answer, Answer::kNoOpinion);
  use.access = Access::kWrite;
  use.path = "/dev/null";
  EXPECT_EQ(File(use).answer, Answer::kNoOpinion);
  use.path = "/dev/sda";
  EXPECT_NE(File(use).answer, Answer::kNoOpinion);
}

TEST_F(JudgeTest, LetsCommandsWorkInGitButNotWhereItRunsCode) {
  shell::FileUse use;
  use.access = shell::Access::kWrite;
  for (const char* path : {".git/index", ".git/HEAD", ".git/refs/heads/x"}) {
    use.path = path;
    EXPECT_EQ(File(use).answer, Answer::kNoOpinion) << path;
  }
  for (const char* path : {".git", ".git/config", ".git/hooks/x", ".git/HOOKS/x",
                           ".git/refs/../config", "src/../.git/index", ".git/.env"}) {
    use.path = path;
    EXPECT_EQ(File(use).answer, Answer::kDeny) << path;
  }
  EXPECT_EQ(Path(".git/index", Operation::kRead).answer, Answer::kDeny) << "a file tool";
}

TEST_F(JudgeTest, FollowsLinksInGit) {
  tree_.File("w/.git/hooks/pre-commit", "x").File("w/.git/refs/x", "x").Dir("w/.git/modules/m");
  tree_.Link("w/.git/to_hooks", "hooks").Link("w/.git/to_env", "../.env");
  tree_.Link("w/.git/out", tree_.At("out")).Link("w/.git/to_refs", "refs");
  shell::FileUse use;
  use.access = shell::Access::kWrite;
  for (const char* path :
       {".git/to_hooks/x", ".git/to_hooks/new/x", ".git/to_env", ".git/modules/m/hooks/x",
        ".git/modules/m/config", ".git/worktrees/w/config.worktree", ".git/config.worktree",
        ".git/worktrees/w/commondir", ".git/modules/m/Config"}) {
    use.path = path;
    EXPECT_EQ(File(use).answer, Answer::kDeny) << path;
  }
  use.path = ".git/out/secret";
  EXPECT_EQ(File(use).answer, Answer::kAsk);
  use.path = ".git/to_refs/x";
  EXPECT_EQ(File(use).answer, Answer::kNoOpinion);
  use.path = ".git/modules/m";
  use.extent = shell::Extent::kTree;
  EXPECT_EQ(File(use).answer, Answer::kDeny) << "hooks may come with it";
  use.path = ".git";
  EXPECT_EQ(File(use).answer, Answer::kDeny);
  use.by = "git";
  EXPECT_EQ(File(use).answer, Answer::kNoOpinion) << "git commit";
}

TEST_F(JudgeTest, KeepsTheSettingsOfEveryAgentAtAnyDepth) {
  tree_.Dir("w/sub/.claude");
  for (const char* path :
       {".claude/settings.json", "sub/.claude/settings.local.json", "sub/deep/.codex/hooks.json",
        "a/.gemini/settings.json", "a/.cursor/hooks.json", "src/../a/.codex/config.toml"}) {
    EXPECT_EQ(Path(path, Operation::kWrite).answer, Answer::kDeny) << path;
    EXPECT_EQ(Path(path, Operation::kRead).answer, Answer::kNoOpinion) << path;
  }
  EXPECT_EQ(Path("sub/.claude/notes.md", Operation::kWrite).answer, Answer::kNoOpinion);
  explanation_ = {};
  shell::FileUse use;
  use.access = shell::Access::kWrite;
  use.extent = shell::Extent::kTree;
  for (const char* path : {"sub/.claude", ".codex"}) {
    use.path = path;
    EXPECT_EQ(File(use).answer, Answer::kDeny) << path;
  }
  use.path = "build";
  EXPECT_EQ(File(use).answer, Answer::kNoOpinion);
}

// Of what may be a file only the rules' word counts.
TEST_F(JudgeTest, RefusesAMentionThatARuleCovers) {
  tree_.Link("w/innocent", ".env").Dir("w/sub/.claude");
  const auto mention = [this](std::string path, shell::Access access, shell::Extent extent) {
    explanation_ = {};
    shell::FileUse use;
    use.path = std::move(path);
    use.access = access;
    use.extent = extent;
    explanation_.mentions.push_back(use);
    return Command().answer;
  };
  using shell::Access;
  using shell::Extent;
  for (const char* path : {".env", "src/../.env", "innocent", "sub/.ssh/id"}) {
    EXPECT_EQ(mention(path, Access::kRead, Extent::kItself), Answer::kDeny) << path;
  }
  for (const char* path : {"../out/secret", "link/secret", "src", ".git/HEAD", "no such thing"}) {
    EXPECT_EQ(mention(path, Access::kRead, Extent::kItself), Answer::kNoOpinion) << path;
  }
  EXPECT_EQ(mention("src/.env", Access::kWrite, Extent::kItself), Answer::kDeny);
  EXPECT_EQ(mention("sub/.claude", Access::kDelete, Extent::kTree), Answer::kDeny);
  EXPECT_EQ(mention("src", Access::kDelete, Extent::kTree), Answer::kNoOpinion);
  Event event;
  event.mentions = {"a", ".env"};
  EXPECT_EQ(Decide(std::move(event)).answer, Answer::kDeny);
}

TEST_F(JudgeTest, KnowsANameBelowAnUnknownDirectory) {
  agent_ = Agent::kCodex;
  shell::FileUse use;
  use.path = "$X/.env";
  use.start = shell::Start::kUnknown;
  use.exactness = shell::Exactness::kUnknown;
  EXPECT_EQ(File(use).answer, Answer::kDeny);
  use.path = "$X/a";
  EXPECT_EQ(File(use).answer, Answer::kNoOpinion);
}

TEST_F(JudgeTest, ReadsTheGlobsOfToolsAsTheToolsDo) {
  tree_.File("w/clean/a.c", "x");
  const auto glob = [this](std::string text, Operation operation, PathUse::Form form) {
    Event event;
    event.paths.push_back({std::move(text), operation, form});
    return Decide(std::move(event)).answer;
  };
  using Form = PathUse::Form;
  for (const char* text : {"{.env,a}", "{src,.}/{a,.env}", ".ENV", "\\.env", "[.]env", "{.env}"}) {
    EXPECT_EQ(glob(text, Operation::kList, Form::kPattern), Answer::kDeny) << text;
    EXPECT_EQ(glob(text, Operation::kRead, Form::kPattern), Answer::kDeny) << text;
    EXPECT_EQ(glob("**/" + std::string(text), Operation::kRead, Form::kFilter), Answer::kDeny)
        << text;
  }
  EXPECT_EQ(glob("**/*", Operation::kList, Form::kPattern), Answer::kNoOpinion);
  for (const char* text : {"node/**", "node/**/*", "node/deep/?env"}) {
    EXPECT_EQ(glob(text, Operation::kRead, Form::kPattern), Answer::kDeny) << text;
  }
  EXPECT_EQ(glob("clean/**", Operation::kRead, Form::kPattern), Answer::kNoOpinion);
  EXPECT_EQ(glob("src/**/*.{c,h}", Operation::kRead, Form::kPattern), Answer::kNoOpinion);
  for (const char* text : {"**/*.c", "**/*", "**/*.{c,h}"}) {
    EXPECT_EQ(glob(text, Operation::kRead, Form::kFilter), Answer::kNoOpinion) << text;
  }
  EXPECT_EQ(glob("**/*env", Operation::kRead, Form::kFilter), Answer::kDeny);
}

TEST_F(JudgeTest, KnowsNobodysHome) {
  EXPECT_EQ(Path("~root/.profile", Operation::kRead).answer, Answer::kDeny);
  EXPECT_EQ(Path("~$x.doc", Operation::kRead).answer, Answer::kNoOpinion);
}

TEST_F(JudgeTest, RefusesWhatIsTypedAndNamesADeniedFile) {
  const auto typed = [this](std::string text) {
    Event event;
    event.kind = policy::ToolKind::kShell;
    event.commands.push_back({std::move(text), "", CommandUse::Certainty::kTyped});
    return Decide(std::move(event)).answer;
  };
  agent_ = Agent::kCodex;
  EXPECT_EQ(typed("print(open('.env').read())\n"), Answer::kDeny);
  EXPECT_EQ(typed("cat \\\n"), Answer::kDeny) << "it goes on";
  EXPECT_EQ(typed("print(1)\n"), Answer::kNoOpinion);
  explanation_.reasons.push_back({shell::Risk::kHigh, "unreadable", "a quote is open"});
  EXPECT_EQ(typed("cat '\n"), Answer::kDeny);
}

TEST_F(JudgeTest, JudgesWhatAPatternCouldMatch) {
  shell::FileUse use;
  use.exactness = shell::Exactness::kPattern;
  use.path = "*.c";
  EXPECT_EQ(File(use).answer, Answer::kNoOpinion);
  use.path = "*/.e*";
  EXPECT_EQ(File(use).answer, Answer::kDeny);
  use.path = "../*";
  EXPECT_EQ(File(use).answer, Answer::kAsk);
  use.path = "link/*";
  EXPECT_EQ(File(use).answer, Answer::kAsk);
  for (const shell::Access access : {shell::Access::kWrite, shell::Access::kDelete}) {
    use.access = access;
    use.path = "../*";
    EXPECT_EQ(File(use).answer, Answer::kAsk);
    use.path = "./**/*.o";
    EXPECT_EQ(File(use).answer, Answer::kNoOpinion);
  }
}

TEST_F(JudgeTest, LooksThroughATreeBeforeItIsDeleted) {
  shell::FileUse use;
  use.access = shell::Access::kDelete;
  use.extent = shell::Extent::kTree;
  use.path = "build";
  EXPECT_EQ(File(use).answer, Answer::kNoOpinion);
  use.path = "node";
  EXPECT_EQ(File(use).answer, Answer::kDeny);
}

TEST_F(JudgeTest, AsksAboutWhatIsNotKnownWhereItCan) {
  explanation_.unknown.push_back({"$x", "a variable"});
  EXPECT_EQ(Command().answer, Answer::kAsk);
  agent_ = Agent::kGemini;
  EXPECT_EQ(Command().answer, Answer::kNoOpinion);
  unknowns_ = Unknowns::kDeny;
  const Verdict verdict = Command();
  EXPECT_EQ(verdict.answer, Answer::kDeny);
  EXPECT_THAT(verdict.reason, HasSubstr("a variable"));
}

TEST_F(JudgeTest, IsAsGraveAsTheGravestPart) {
  Event event;
  event.paths = {
      {"src/a.c", Operation::kRead}, {"/etc/passwd", Operation::kRead}, {".env", Operation::kRead}};
  EXPECT_EQ(Decide(std::move(event)).answer, Answer::kDeny);
}

}  // namespace
}  // namespace cordon::hook
