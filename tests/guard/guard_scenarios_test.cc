// What people rely on, one case at a time.
#include "tests/guard/guard_fixture.h"

namespace cordon::testing {
namespace {

using audit::Event;
using audit::Phase;

const guard::Call kWriteCall{"write_file", policy::ToolKind::kWrite, {}};

TEST_F(GuardTest, InsideReadsGoAheadAndAreRecorded) {
  Start();
  EXPECT_EQ(*Read("a"), "inside");
  const auto records = Records(Event::kFileRead);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].asked, "a");
  EXPECT_EQ(records[0].decision, audit::Decision::kAllowed);
}

TEST_F(GuardTest, WithNobodyToAskTheAnswerIsNo) {
  Start();
  EXPECT_EQ(CodeOf(Read(At("o/f"))), "CONSENT_UNAVAILABLE");
  EXPECT_EQ(CodeOf(Write("a", "x")), "CONSENT_UNAVAILABLE");
  EXPECT_EQ(ReadFile(At("w/a")), "inside");
  const auto decided = Records(Event::kConsentDecided);
  ASSERT_EQ(decided.size(), 2U);
  EXPECT_EQ(decided[0].durability, audit::Durability::kOnDisk);
  EXPECT_EQ(decided[0].choice, "deny");
}

TEST_F(GuardTest, StrictNeverAsks) {
  settings_.profile = policy::Profile::kStrict;
  StartAnswering(Choice::kOnce);
  EXPECT_EQ(CodeOf(Read(At("o/f"))), "PATH_OUTSIDE_PROJECT");
  EXPECT_EQ(CodeOf(Read("../o/f")), "PATH_OUTSIDE_PROJECT");
  EXPECT_EQ(CodeOf(Write("a", "x")), "done");
  EXPECT_EQ(CodeOf(Remove("a")), "done");
  EXPECT_EQ(Asked(), 0U);
}

TEST_F(GuardTest, OnceIsOnce) {
  StartAnswering(Choice::kOnce);
  EXPECT_EQ(*Read(At("o/f")), "outside");
  EXPECT_EQ(*Read(At("o/f")), "outside");
  EXPECT_EQ(Asked(), 2U);
}

TEST_F(GuardTest, TextLinksAndDotsAllAskAboutTheRealPath) {
  ASSERT_EQ(::symlink("../o/f", At("w/link").c_str()), 0);
  ASSERT_EQ(::symlink("../o", At("w/dir").c_str()), 0);
  StartAnswering(Choice::kOnce);
  for (const char* path : {"link", "dir/f", "../o/f", "sub/../../o/f"}) {
    EXPECT_EQ(*Read(path), "outside") << path;
    EXPECT_EQ(channel_->asked().back().path, At("o/f")) << path;
    EXPECT_EQ(channel_->asked().back().asked, path);
  }
}

TEST_F(GuardTest, AGrantedDirectoryCoversItsDescendantsAndNothingElse) {
  StartAnswering(Choice::kDirectory);
  EXPECT_EQ(*Read(At("o/f")), "outside");
  EXPECT_EQ(channel_->asked()[0].directory, At("o"));
  EXPECT_EQ(*Read(At("o/g")), "other");
  EXPECT_EQ(*Read(At("o/deep/h")), "deep");
  EXPECT_EQ(CodeOf(Write(At("o/new"), "x")), "done");
  EXPECT_EQ(Asked(), 1U);
  ASSERT_EQ(::mkdir(At("o-evil").c_str(), 0755), 0);
  WriteFile(At("o-evil/f"), "evil");
  EXPECT_EQ(*Read(At("o-evil/f")), "evil");
  EXPECT_EQ(Asked(), 2U);
}

TEST_F(GuardTest, ALinkInAGrantedDirectoryDoesNotLeadOutOfIt) {
  ASSERT_EQ(::mkdir(At("p").c_str(), 0755), 0);
  WriteFile(At("p/x"), "elsewhere");
  ASSERT_EQ(::symlink("../p/x", At("o/link").c_str()), 0);
  int asked = 0;
  Start([&](const Question&) -> Result<Choice> {
    return ++asked == 1 ? Choice::kDirectory : Choice::kDeny;
  });
  EXPECT_EQ(*Read(At("o/f")), "outside");
  EXPECT_EQ(CodeOf(Read(At("o/link"))), "CONSENT_DENIED");
  EXPECT_EQ(channel_->asked().back().path, At("p/x"));
}

TEST_F(GuardTest, WhatTakesAGrantedDirectorysNameGainsNothing) {
  int asked = 0;
  Start([&](const Question&) -> Result<Choice> {
    return ++asked == 1 ? Choice::kDirectory : Choice::kDeny;
  });
  EXPECT_EQ(*Read(At("o/f")), "outside");
  ASSERT_EQ(::mkdir(At("evil").c_str(), 0755), 0);
  WriteFile(At("evil/f"), "evil");
  ASSERT_EQ(::rename(At("o").c_str(), At("old").c_str()), 0);
  ASSERT_EQ(::rename(At("evil").c_str(), At("o").c_str()), 0);
  EXPECT_EQ(CodeOf(Read(At("o/f"))), "CONSENT_DENIED");
  // Nor does the directory's new name: it was another one that was agreed to.
  EXPECT_EQ(CodeOf(Read(At("old/f"))), "CONSENT_DENIED");
  EXPECT_EQ(asked, 3);
}

TEST_F(GuardTest, HomesParentsAndTheTopAreNeverOnOffer) {
  ASSERT_EQ(::setenv("HOME", At("o").c_str(), 1), 0);
  WriteFile(At("beside"), "x");
  StartAnswering(Choice::kOnce);
  EXPECT_TRUE(Read(At("o/f")));     // a home
  EXPECT_TRUE(Read(At("beside")));  // a parent of the root
  EXPECT_FALSE(Read("/no-such-file"));
  for (const Question& question : channel_->asked()) {
    EXPECT_FALSE(question.directory) << question.path;
  }
  EXPECT_TRUE(Read(At("o/deep/h")));
  EXPECT_EQ(channel_->asked().back().directory, At("o/deep"));
}

TEST_F(GuardTest, DenyRulesBeatEveryAnswerAndEveryGrant) {
  ASSERT_EQ(::symlink(".env", At("o/plain").c_str()), 0);
  ASSERT_EQ(::symlink("../o/.env", At("w/plain").c_str()), 0);
  StartAnswering(Choice::kDirectory);
  EXPECT_EQ(*Read(At("o/f")), "outside");
  for (const std::string& path :
       {At("o/.env"), At("o/plain"), std::string(".env"), std::string("plain"),
        std::string("../o/.env"), At("o/deep/../.env")}) {
    // Which rule it was would tell what lies outside, unless the text itself says it.
    const bool says_it = path == ".env" || path == "../o/.env";
    const char* const code = says_it ? "PATH_DENIED" : "PATH_OUTSIDE_PROJECT";
    EXPECT_EQ(CodeOf(Read(path)), code) << path;
    EXPECT_EQ(CodeOf(Write(path, "x")), code) << path;
  }
  EXPECT_EQ(CodeOf(Remove(At("o/.env"))), "PATH_OUTSIDE_PROJECT");
  EXPECT_EQ(Asked(), 1U);
  EXPECT_EQ(ReadFile(At("o/.env")), "secret");
  for (const Remembered& record : Records(Event::kSandboxViolation)) {
    EXPECT_EQ(record.durability, audit::Durability::kOnDisk);
    EXPECT_EQ(record.decision, audit::Decision::kDenied);
  }
  EXPECT_EQ(Records(Event::kSandboxViolation).size(), 13U);
}

TEST_F(GuardTest, WritesMayBeTrustedForTheSessionDeletesNever) {
  WriteFile(At("w/b"), "b");
  WriteFile(At("w/c"), "c");
  Start([](const Question& question) -> Result<Choice> {
    return question.Offers(Choice::kTool) ? Choice::kTool : Choice::kOnce;
  });
  EXPECT_TRUE(Write("a", "1"));
  EXPECT_TRUE(Write("b", "2"));
  EXPECT_EQ(Asked(), 1U);
  EXPECT_TRUE(Remove("b"));
  EXPECT_TRUE(Remove("c"));
  EXPECT_EQ(Asked(), 3U);
  EXPECT_FALSE(channel_->asked().back().Offers(Choice::kTool));
}

TEST_F(GuardTest, ADirectoryGrantDoesNotCoverDeleting) {
  StartAnswering(Choice::kDirectory);
  EXPECT_TRUE(Read(At("o/f")));
  EXPECT_EQ(CodeOf(Remove(At("o/f"))), "CONSENT_DENIED");
  EXPECT_EQ(Asked(), 2U);
  EXPECT_TRUE(Exists(At("o/f")));
}

TEST_F(GuardTest, AnAlwaysDenyBeatsSessionTrust) {
  settings_.tools = {{"write_file", policy::ToolLevel::kDeny, ""}};
  StartAnswering(Choice::kTool);
  const guard::Call append{"append_file", policy::ToolKind::kWrite, {}};
  EXPECT_TRUE(guard_->Append(append, "a", "!"));
  EXPECT_EQ(CodeOf(Write("a", "x")), "PERMISSION_DENIED");
  EXPECT_EQ(recorder_->records().back().decision, audit::Decision::kDenied);
  EXPECT_EQ(recorder_->records().back().durability, audit::Durability::kOnDisk);
  EXPECT_EQ(CodeOf(Write(At("o/f"), "x")), "PERMISSION_DENIED");
  EXPECT_EQ(ReadFile(At("w/a")), "inside!");
  EXPECT_EQ(Asked(), 1U);
}

TEST_F(GuardTest, WhatIsReplacedWhileThePersonThinksIsAskedAboutAnew) {
  int asked = 0;
  Start([&](const Question&) -> Result<Choice> {
    if (++asked > 1) return Choice::kDeny;
    EXPECT_EQ(::rename(At("o/g").c_str(), At("o/f").c_str()), 0);
    return Choice::kOnce;
  });
  EXPECT_EQ(CodeOf(Read(At("o/f"))), "CONSENT_DENIED");
  EXPECT_EQ(asked, 2);
}

TEST_F(GuardTest, WhatNeverHoldsStillIsRefusedInTheEnd) {
  int asked = 0;
  Start([&](const Question&) -> Result<Choice> {
    WriteFile(At("o/next"), "next " + std::to_string(++asked));
    EXPECT_EQ(::rename(At("o/next").c_str(), At("o/f").c_str()), 0);
    return Choice::kOnce;
  });
  EXPECT_EQ(CodeOf(Write(At("o/f"), "x")), "STALE_FILE");
  EXPECT_LE(asked, 8);
  EXPECT_EQ(ReadFile(At("o/f")), "next " + std::to_string(asked));
}

TEST_F(GuardTest, AFileThatAppearsWhileThePersonThinksIsNotOverwritten) {
  int asked = 0;
  Start([&](const Question& question) -> Result<Choice> {
    if (++asked > 1) return Choice::kDeny;
    EXPECT_EQ(question.state, "does not exist yet");
    WriteFile(At("o/new"), "someone else's");
    return Choice::kOnce;
  });
  EXPECT_EQ(CodeOf(Write(At("o/new"), "x")), "CONSENT_DENIED");
  EXPECT_EQ(ReadFile(At("o/new")), "someone else's");
}

// What this process may not look at is not taken for missing: a person would agree to less.
TEST_F(GuardTest, WhatCannotBeLookedAtIsNotSaidToBeMissing) {
  std::string state;
  Start([&](const Question& question) -> Result<Choice> {
    state = question.state;
    return Choice::kDeny;
  });
  EXPECT_EQ(CodeOf(Read("/proc/self/environ")), "CONSENT_DENIED");
  EXPECT_NE(state, "does not exist yet");
  EXPECT_EQ(CodeOf(Read("/proc/no-such-thing")), "CONSENT_DENIED");
  EXPECT_EQ(state, "does not exist yet");
}

TEST_F(GuardTest, ContentThatWasShownMustStillBeThere) {
  settings_.tools = {{"write", policy::ToolLevel::kAllow, ""}};
  Start();
  guard::WriteOptions options;
  options.based_on = Sha256("inside");
  EXPECT_TRUE(Write("a", "next", options));
  EXPECT_EQ(CodeOf(Write("a", "lost update", options)), "STALE_FILE");
  EXPECT_EQ(ReadFile(At("w/a")), "next");
  options = {};
  options.existing = guard::WriteOptions::Existing::kRefuse;
  EXPECT_EQ(CodeOf(Write("a", "x", options)), "ALREADY_EXISTS");
  EXPECT_TRUE(Write("fresh", "x", options));
  EXPECT_EQ(ReadFile(At("w/fresh")), "x");
}

TEST_F(GuardTest, WhatCannotBeRecordedDoesNotHappen) {
  settings_.tools = {{"write", policy::ToolLevel::kAllow, ""},
                     {"delete", policy::ToolLevel::kAllow, ""}};
  Start();
  recorder_->FailAfter(0);
  for (const Status& status :
       {Write("a", "x"), Remove("a"), guard_->Mkdir(kWriteCall, "d"),
        guard_->Rename(kWriteCall, "a", "b"), guard_->Append(kWriteCall, "a", "x")}) {
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::kIoError);
    EXPECT_EQ(status.error().rule, "audit");
  }
  EXPECT_EQ(CodeOf(Read("a")), "IO_ERROR");
  EXPECT_EQ(CodeOf(Read(At("o/f"))), "IO_ERROR");
  EXPECT_EQ(ReadFile(At("w/a")), "inside");
  EXPECT_FALSE(Exists(At("w/d")));
  EXPECT_FALSE(Exists(At("w/b")));
}

TEST_F(GuardTest, EveryEffectHasABeginAndAnEnd) {
  StartAnswering(Choice::kOnce);
  EXPECT_TRUE(Write("a", "x"));
  EXPECT_FALSE(guard_->Mkdir(kWriteCall, "sub"));
  const auto writes = Records(Event::kFileWrite);
  ASSERT_EQ(writes.size(), 2U);
  EXPECT_EQ(writes[0].phase, Phase::kBegin);
  EXPECT_EQ(writes[1].phase, Phase::kEnd);
  EXPECT_EQ(writes[1].begun, writes[0].seq);
  EXPECT_EQ(writes[0].resolved, At("w/a"));
  EXPECT_EQ(writes[1].rule, "consent:once");
  EXPECT_FALSE(writes[1].error);
}

TEST_F(GuardTest, DisabledProtectionAllowsEverythingButCordonsOwnAndMarksIt) {
  ASSERT_EQ(::symlink("../o/f", At("w/link").c_str()), 0);
  settings_.protection = policy::Protection::kOff;
  settings_.own = {{At("o/deep"), policy::Protected::From::kEverything}};
  Start();
  EXPECT_EQ(*Read(At("o/.env")), "secret");
  EXPECT_EQ(*Read(".env"), "secret");
  EXPECT_EQ(*Read("link"), "outside");
  EXPECT_EQ(*Read("../o/f"), "outside");
  EXPECT_TRUE(Write(At("o/f"), "x"));
  EXPECT_TRUE(Remove("a"));
  EXPECT_EQ(CodeOf(Read(At("o/deep/h"))), "PATH_OUTSIDE_PROJECT");
  EXPECT_EQ(CodeOf(Read("../o/deep/h")), "PATH_DENIED");
  EXPECT_EQ(Records(Event::kSandboxDisabled).size(), 1U);
  for (const Remembered& record : recorder_->records()) {
    EXPECT_EQ(record.protection, audit::Protection::kOff);
  }
}

TEST_F(GuardTest, CordonsOwnDirectoriesAreOutOfReachInsideAndOutside) {
  settings_.own = {{At("w/sub"), policy::Protected::From::kEverything},
                   {At("o/deep"), policy::Protected::From::kChanges}};
  StartAnswering(Choice::kOnce);
  EXPECT_EQ(CodeOf(Write("sub/key", "x")), "PATH_DENIED");
  EXPECT_EQ(CodeOf(guard_->Rename(kWriteCall, "sub", "bus")), "PATH_DENIED");
  EXPECT_EQ(*Read(At("o/deep/h")), "deep");
  EXPECT_EQ(CodeOf(Write(At("o/deep/h"), "x")), "PATH_OUTSIDE_PROJECT");
  EXPECT_EQ(CodeOf(guard_->Rename(kWriteCall, At("o"), At("p"))), "PATH_DENIED");
}

TEST_F(GuardTest, ARootInsideCordonsOwnDirectoryIsAMistake) {
  settings_.own = {{At("w"), policy::Protected::From::kEverything}};
  EXPECT_FALSE(guard::Boundary::Open(settings_, confine::Resolver::kAuto,
                                     confine::AmbientAuthority::OfThisProcess()));
}

TEST_F(GuardTest, AWorkspaceInCordonsOwnDirectoryIsReachedAndNothingElseThere) {
  settings_.own = {{At("."), policy::Protected::From::kEverything, policy::Protected::Names::kThis,
                    policy::Protected::Holds::kWorkspaces}};
  StartAnswering(Choice::kDirectory);
  EXPECT_EQ(*Read("a"), "inside");
  EXPECT_EQ(*Read(At("w/a")), "inside");
  EXPECT_EQ(CodeOf(Read(At("o/f"))), "PATH_OUTSIDE_PROJECT");
  EXPECT_EQ(CodeOf(Read("../o/f")), "PATH_OUTSIDE_PROJECT");
  EXPECT_EQ(CodeOf(Write(At("o/new"), "x")), "PATH_OUTSIDE_PROJECT");
  EXPECT_EQ(Asked(), 0U);
}

TEST_F(GuardTest, RenamesAskOnceForBothEnds) {
  StartAnswering(Choice::kOnce);
  EXPECT_TRUE(guard_->Rename(kWriteCall, "a", At("o/a")));
  ASSERT_EQ(Asked(), 1U);
  EXPECT_EQ(channel_->asked()[0].path, At("w/a"));
  EXPECT_EQ(channel_->asked()[0].target, At("o/a"));
  EXPECT_FALSE(channel_->asked()[0].directory);
  EXPECT_EQ(ReadFile(At("o/a")), "inside");
  EXPECT_EQ(CodeOf(guard_->Rename(kWriteCall, At("o/f"), "sub/.env")), "PATH_DENIED");
  EXPECT_EQ(Asked(), 1U);
}

TEST_F(GuardTest, MissingDirectoriesAreMadeOneByOneWhenAPersonIsAsked) {
  StartAnswering(Choice::kOnce);
  EXPECT_TRUE(guard_->MkdirAll(kWriteCall, "x/y/z"));
  EXPECT_EQ(Asked(), 3U);
  EXPECT_TRUE(guard_->MkdirAll(kWriteCall, At("o/deep/p/q")));
  EXPECT_EQ(Asked(), 5U);
  EXPECT_TRUE(Exists(At("w/x/y/z")));
  EXPECT_TRUE(Exists(At("o/deep/p/q")));
}

TEST_F(GuardTest, AWalkIsRecordedBeforeItsFirstEntryIsTold) {
  Start();
  std::size_t records_at_first = 0;
  const guard::Call call{"list_directory", policy::ToolKind::kRead, {}};
  EXPECT_TRUE(guard_->Walk(call, ".", {}, [&](const confine::WalkEntry&) {
    if (records_at_first == 0) records_at_first = Records(Event::kFileList).size();
    return confine::WalkStep::kContinue;
  }));
  EXPECT_EQ(records_at_first, 1U);
  EXPECT_EQ(Records(Event::kFileList).size(), 1U);
  recorder_->FailAfter(0);
  int told = 0;
  EXPECT_FALSE(guard_->Walk(call, ".", {}, [&](const confine::WalkEntry&) {
    ++told;
    return confine::WalkStep::kContinue;
  }));
  EXPECT_EQ(told, 0);
}

TEST_F(GuardTest, ErrorsTellTheModelNothingOfTheOutside) {
  ASSERT_EQ(::symlink("../o/f", At("w/link").c_str()), 0);
  Start();
  for (const char* path : {"link", "../o/f", "../o/missing"}) {
    const auto result = Read(path);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().AiMessage().find(At("o")), std::string::npos);
    EXPECT_EQ(result.error().Message(path).find(At("o")), std::string::npos);
    // Whether something is there is not told either.
    EXPECT_EQ(CodeOf(result), "CONSENT_UNAVAILABLE") << path;
  }
}

}  // namespace
}  // namespace cordon::testing
