// Document 001, "File System Sandboxing Specification": the parts about a person.
#include "consent/prompt.h"
#include "tests/guard/guard_fixture.h"

namespace cordon::testing {
namespace {

using Seed001Consent = GuardTest;

TEST_F(Seed001Consent, ThePromptHasTheDocumentsWords) {
  consent::Question question;
  question.operation = Operation::kWrite;
  question.path = "/etc/hosts";
  question.directory = "/etc";
  const auto lines = consent::PromptLines(question, 2, 80);
  std::size_t at = 0;
  for (const char* words :
       {"Sandbox Protection", "Tool wants to write to: /etc/hosts",
        "This path is outside the sandbox. Choose an option:", "  [1] Allow once",
        "  [2] Allow all operations in /etc", "> [3] Deny", "Choice:"}) {
    while (at < lines.size() && lines[at].find(words) == std::string::npos) ++at;
    EXPECT_LT(at, lines.size()) << words;
  }
}

TEST_F(Seed001Consent, AllowOnceAllowDirectoryAndDenyMeanWhatTheySay) {
  Choice next = Choice::kOnce;
  Start([&](const Question&) -> Result<Choice> { return next; });
  EXPECT_EQ(*Read(At("o/f")), "outside");
  next = Choice::kDeny;
  EXPECT_EQ(CodeOf(Read(At("o/f"))), "CONSENT_DENIED");
  next = Choice::kDirectory;
  EXPECT_EQ(*Read(At("o/f")), "outside");
  next = Choice::kDeny;
  EXPECT_EQ(*Read(At("o/g")), "other");
  EXPECT_EQ(Asked(), 3U);
}

TEST_F(Seed001Consent, AllowingTheParentOfATopLevelPathDoesNotGrantEverything) {
  StartAnswering(Choice::kOnce);
  EXPECT_FALSE(Read("/no-such-file-at-the-top"));
  ASSERT_EQ(Asked(), 1U);
  EXPECT_FALSE(channel_->asked()[0].Offers(Choice::kDirectory));
}

TEST_F(Seed001Consent, GrantsEndWithTheSession) {
  StartAnswering(Choice::kDirectory);
  EXPECT_TRUE(Read(At("o/f")));
  StartAnswering(Choice::kDeny);
  EXPECT_EQ(CodeOf(Read(At("o/f"))), "CONSENT_DENIED");
}

TEST_F(Seed001Consent, DisableSandboxAllowsAndLeavesItsMark) {
  settings_.protection = policy::Protection::kOff;
  Start();
  EXPECT_EQ(*Read(At("o/f")), "outside");
  EXPECT_TRUE(Write(At("o/f"), "x"));
  EXPECT_EQ(Records(audit::Event::kSandboxDisabled).size(), 1U);
}

TEST_F(Seed001Consent, EverythingLeavesAnAuditTrail) {
  StartAnswering(Choice::kDeny);
  EXPECT_FALSE(Read(At("o/f")));
  EXPECT_FALSE(Read(".env"));
  EXPECT_TRUE(Read("a"));
  EXPECT_EQ(Records(audit::Event::kConsentAsked).size(), 1U);
  EXPECT_EQ(Records(audit::Event::kConsentDecided).size(), 1U);
  EXPECT_EQ(Records(audit::Event::kSandboxViolation).size(), 1U);
  EXPECT_EQ(Records(audit::Event::kFileRead).size(), 2U);
}

}  // namespace
}  // namespace cordon::testing
