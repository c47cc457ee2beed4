#include "hook/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

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
    Result<guard::Boundary> boundary = guard::Boundary::Open(
        settings, confine::Resolver::kAuto, confine::AmbientAuthority::OfThisProcess());
    if (!boundary) {
      ADD_FAILURE() << boundary.error().detail;
      return {};
    }
    event.agent = agent_;
    event.cwd = tree_.At("w");
    if (event.tool.empty()) event.tool = "T";
    Judge judge({*boundary, notes_, [this](std::string_view) { return explanation_; },
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
