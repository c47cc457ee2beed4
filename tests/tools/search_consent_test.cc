// grep and glob where a person has a say: who is asked what, once for a whole search, and
// what an answer does not reach.
#include <unistd.h>

#include <set>

#include "tests/tools/tool_fixture.h"

namespace cordon::testing {
namespace {

namespace json = boost::json;

using audit::Event;
using consent::Reason;

class SearchConsent : public ToolTest {
 protected:
  SearchConsent() {
    settings_.profile = policy::Profile::kInteractive;
    EXPECT_EQ(::mkdir(At("p").c_str(), 0755), 0);
    WriteFile(At("w/a"), "needle inside\n");
    WriteFile(At("o/f"), "needle one\n");
    WriteFile(At("o/deep/h"), "needle two\n");
    WriteFile(At("o/.env"), "needle secret\n");
    WriteFile(At("w/.env"), "needle secret\n");
    WriteFile(At("p/x"), "needle elsewhere\n");
    EXPECT_EQ(::symlink("../o", At("w/out").c_str()), 0);
    EXPECT_EQ(::symlink("../p", At("o/link").c_str()), 0);
  }
  void SetUp() override {}  // each test says who is there

  tools::Outcome Grep(const std::string& path) {
    return Call("grep", json::object{{"pattern", "needle"},
                                     {"path", path},
                                     {"include_hidden", true},
                                     {"respect_gitignore", false}});
  }
  tools::Outcome Glob(const std::string& path) {
    return Call("glob", json::object{{"pattern", "**"}, {"path", path}, {"include_hidden", true}});
  }
  // What was told, or the code.
  static std::set<std::string> Told(const tools::Outcome& outcome, const char* list,
                                    const char* field) {
    if (!outcome) return {CodeOf(outcome)};
    std::set<std::string> told;
    for (const json::value& one : outcome->data.at(list).as_array()) {
      told.emplace(one.as_object().at(field).as_string());
    }
    return told;
  }
  std::set<std::string> Lines(const std::string& path) { return Told(Grep(path), "lines", "text"); }
  std::set<std::string> Names(const std::string& path) {
    return Told(Glob(path), "matches", "path");
  }
  using Set = std::set<std::string>;
};

TEST_F(SearchConsent, AQuestionForTheWholeSearchAndEachTimeAnew) {
  StartAnswering(Choice::kOnce);
  EXPECT_EQ(Lines(At("o")), (Set{"needle one", "needle two"}));
  ASSERT_EQ(Asked(), 1U);
  const Question question = channel_->asked()[0];
  EXPECT_EQ(question.path, At("o"));
  EXPECT_EQ(question.tool, "grep");
  EXPECT_EQ(question.operation, Operation::kRead);
  EXPECT_EQ(question.reason, Reason::kOutside);
  EXPECT_EQ(Records(Event::kConsentDecided).size(), 1U);
  ASSERT_EQ(Records(Event::kFileRead).size(), 1U);
  EXPECT_EQ(Records(Event::kFileRead)[0].resolved, At("o"));
  EXPECT_EQ(Names(At("o")), (Set{At("o/f"), At("o/g"), At("o/deep/h"), At("o/link")}));
  ASSERT_EQ(Asked(), 2U) << "once is once, and a listing is not a reading";
  EXPECT_EQ(channel_->asked()[1].operation, Operation::kList);
  EXPECT_EQ(channel_->asked()[1].tool, "glob");
}

TEST_F(SearchConsent, WithoutAYesNothingIsTold) {
  StartAnswering(Choice::kDeny);
  EXPECT_EQ(Lines(At("o")), (Set{"CONSENT_DENIED"}));
  EXPECT_EQ(Names(At("o")), (Set{"CONSENT_DENIED"}));
  EXPECT_EQ(Asked(), 2U);
  Start();
  EXPECT_EQ(Lines(At("o")), (Set{"CONSENT_UNAVAILABLE"}));
  EXPECT_EQ(Names("out"), (Set{"CONSENT_UNAVAILABLE"}));
}

TEST_F(SearchConsent, ALinkAsTheStartAsksAboutWhereItLeads) {
  StartAnswering(Choice::kOnce);
  EXPECT_EQ(Lines("out"), (Set{"needle one", "needle two"}));
  ASSERT_EQ(Asked(), 1U);
  EXPECT_EQ(channel_->asked()[0].path, At("o"));
  EXPECT_EQ(channel_->asked()[0].asked, "out");
  EXPECT_EQ(Lines("out/deep/h"), (Set{"needle two"}));
  ASSERT_EQ(Asked(), 2U);
  EXPECT_EQ(channel_->asked()[1].path, At("o/deep/h"));
}

TEST_F(SearchConsent, LinksOnTheWayAreNeitherFollowedNorAskedAbout) {
  StartAnswering(Choice::kOnce);
  EXPECT_EQ(Lines("."), (Set{"needle inside"}));
  EXPECT_EQ(Names("."), (Set{"a", "out"}));
  EXPECT_EQ(Asked(), 0U);
  EXPECT_EQ(Lines(At("o")).count("needle elsewhere"), 0U);
  EXPECT_EQ(Asked(), 1U);
}

TEST_F(SearchConsent, ADenyRuleBeatsTheAnswer) {
  StartAnswering(Choice::kOnce);
  EXPECT_EQ(Lines(At("o/.env")), (Set{"PATH_OUTSIDE_PROJECT"}));
  EXPECT_EQ(Lines(At("w/.env")), (Set{"PATH_DENIED"}));
  EXPECT_EQ(Asked(), 0U);
  // From above, where it is in the way: the workspace's file keeps its terms, too.
  EXPECT_EQ(Lines(base_), (Set{"needle inside", "needle one", "needle two", "needle elsewhere"}));
  EXPECT_EQ(Asked(), 1U);
}

TEST_F(SearchConsent, AGrantedDirectoryIsSearchedWithoutAQuestion) {
  StartAnswering(Choice::kDirectory);
  EXPECT_EQ(Lines(At("o")), (Set{"needle one", "needle two"}));
  EXPECT_EQ(Asked(), 1U);
  EXPECT_EQ(Lines(At("o/deep")), (Set{"needle two"}));
  EXPECT_EQ(Names(At("o/deep")), (Set{At("o/deep/h")}));
  EXPECT_EQ(Asked(), 1U);
  Start([](const Question&) -> Result<Choice> { return Choice::kDeny; });
  EXPECT_EQ(Lines(At("o")), (Set{"CONSENT_DENIED"})) << "another session has no grant";
}

TEST_F(SearchConsent, AToolThatAsksAsksInsideOnceForASearch) {
  settings_.tools = {{"grep", policy::ToolLevel::kAlways, "test"}};
  StartAnswering(Choice::kOnce);
  EXPECT_EQ(Lines("."), (Set{"needle inside"}));
  ASSERT_EQ(Asked(), 1U);
  EXPECT_EQ(channel_->asked()[0].reason, Reason::kTool);
  EXPECT_EQ(Names("."), (Set{"a", "out"}));
  EXPECT_EQ(Asked(), 1U) << "glob does not";
  StartAnswering(Choice::kDeny);
  EXPECT_EQ(Lines("."), (Set{"CONSENT_DENIED"}));
}

// While the person reads, what they are shown is replaced by something else.
TEST_F(SearchConsent, WhatTakesThePlaceIsNotWhatWasAgreedTo) {
  Start([this](const Question& question) -> Result<Choice> {
    if (question.path != At("o")) return Choice::kDeny;
    EXPECT_EQ(::rename(At("o").c_str(), At("o.old").c_str()), 0);
    EXPECT_EQ(::symlink("p", At("o").c_str()), 0);
    return Choice::kOnce;
  });
  EXPECT_EQ(Lines(At("o")), (Set{"CONSENT_DENIED"}));
  ASSERT_EQ(Asked(), 2U);
  EXPECT_EQ(channel_->asked()[1].path, At("p"));
  EXPECT_TRUE(Records(Event::kFileRead).empty() ||
              Records(Event::kFileRead).back().decision != audit::Decision::kAllowed);
}

TEST_F(SearchConsent, AnotherDirectoryInThePlaceIsAskedAboutAnew) {
  int asked = 0;
  Start([this, &asked](const Question&) -> Result<Choice> {
    if (++asked > 1) return Choice::kDeny;
    EXPECT_EQ(::rename(At("o").c_str(), At("o.old").c_str()), 0);
    EXPECT_EQ(::rename(At("p").c_str(), At("o").c_str()), 0);
    return Choice::kOnce;
  });
  EXPECT_EQ(Lines(At("o")), (Set{"CONSENT_DENIED"}));
  EXPECT_EQ(asked, 2);
}

}  // namespace
}  // namespace cordon::testing
