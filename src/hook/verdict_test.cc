#include "hook/verdict.h"

#include <gtest/gtest.h>

namespace cordon::hook {
namespace {

constexpr Agent kAgents[] = {Agent::kClaude, Agent::kCodex, Agent::kGemini, Agent::kCursor};

TEST(Reply, SaysNothingWithoutAnOpinion) {
  for (const Agent agent : kAgents) {
    const Reply reply = ReplyFor(agent, {});
    EXPECT_EQ(reply.status, 0);
    EXPECT_EQ(reply.out, "");
    EXPECT_EQ(reply.err, "");
  }
}

TEST(Reply, DeniesWithAStatusAndAReason) {
  for (const Agent agent : kAgents) {
    const Reply reply = ReplyFor(agent, {Answer::kDeny, "because"});
    EXPECT_EQ(reply.status, 2);
    EXPECT_EQ(reply.err, "because\n");
  }
  EXPECT_EQ(ReplyFor(Agent::kGemini, {Answer::kDeny, "a \"b\""}).out,
            "{\"decision\":\"deny\",\"reason\":\"a \\\"b\\\"\"}\n");
}

// A refusal without a text is taken for a failure by some, who then go on.
TEST(Reply, NeverDeniesInSilence) {
  for (const Agent agent : kAgents) EXPECT_NE(ReplyFor(agent, {Answer::kDeny, ""}).err, "");
}

TEST(Reply, AsksOnlyThoseWhoUnderstandIt) {
  const Verdict ask{Answer::kAsk, "look"};
  EXPECT_EQ(ReplyFor(Agent::kClaude, ask).out,
            "{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":"
            "\"ask\",\"permissionDecisionReason\":\"look\"}}\n");
  EXPECT_EQ(ReplyFor(Agent::kCursor, ask).out,
            "{\"permission\":\"ask\",\"user_message\":\"look\",\"agent_message\":\"look\"}\n");
  for (const Agent agent : {Agent::kCodex, Agent::kGemini}) {
    EXPECT_EQ(ReplyFor(agent, ask).status, 2);
    EXPECT_EQ(ReplyFor(agent, ask).out.find("ask"), std::string::npos);
  }
}

TEST(Verdict, TheGraverOneStays) {
  Verdict verdict;
  verdict.Add({Answer::kAsk, "first"});
  verdict.Add({Answer::kAsk, "second"});
  EXPECT_EQ(verdict.reason, "first");
  verdict.Add({Answer::kDeny, "no"});
  verdict.Add({Answer::kAsk, "third"});
  verdict.Add({});
  EXPECT_EQ(verdict.answer, Answer::kDeny);
  EXPECT_EQ(verdict.reason, "no");
}

}  // namespace
}  // namespace cordon::hook
