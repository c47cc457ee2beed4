// A person is asked through the client that calls: what each answer does, and what none.
#include <unistd.h>

#include "mcp_tools/client_channel.h"
#include "tests/guard/guard_fixture.h"
#include "tests/mcp_tools/fake_exchange.h"

namespace cordon::testing {
namespace {

namespace json = boost::json;
using mcp::AskFailure;

class ClientConsent : public GuardTest {
 protected:
  // Somebody at the desk, too, who denies.
  void SetUp() override {
    Start([](const Question&) -> Result<Choice> { return Choice::kDeny; });
  }

  Result<std::string> ReadBy(mcp::Exchange& exchange, std::string_view path) {
    std::mutex in_use;
    mcp_tools::ClientChannel channel(exchange, in_use);
    return ReadOn(channel, path);
  }
  Result<std::string> ReadOn(consent::Channel& channel, std::string_view path) {
    guard::Call call{"read_file", policy::ToolKind::kRead, {}};
    call.client = &channel;
    auto file = guard_->OpenRead(call, path);
    if (!file) return std::move(file.error());
    return file->ReadAll(1 << 20);
  }
  Status RemoveBy(mcp::Exchange& exchange, std::string_view path) {
    std::mutex in_use;
    mcp_tools::ClientChannel channel(exchange, in_use);
    guard::Call call{"delete_path", policy::ToolKind::kDelete, {}};
    call.client = &channel;
    return guard_->Remove(call, path);
  }
  Status WriteBy(mcp::Exchange& exchange, std::string_view path, std::string_view bytes) {
    std::mutex in_use;
    mcp_tools::ClientChannel channel(exchange, in_use);
    guard::Call call{"write_file", policy::ToolKind::kWrite, {}};
    call.client = &channel;
    return guard_->Write(call, path, bytes);
  }
  static WaitingExchange Answering(ClientAnswer answer) {
    return WaitingExchange([answer](std::string_view, const json::object&) { return answer; });
  }
  static ClientAnswer Failing(AskFailure failure) { return tl::make_unexpected(failure); }
};

TEST_F(ClientConsent, OnceIsOnce) {
  auto exchange = Answering(Accepted("once"));
  EXPECT_EQ(ReadBy(exchange, At("o/f")).value(), "outside");
  EXPECT_EQ(Asked(), 0u);
  EXPECT_EQ(exchange.methods, std::vector<std::string>{"elicitation/create"});
  EXPECT_GT(exchange.patience, std::chrono::seconds(250));
  auto refusing = Answering(Accepted("deny"));
  EXPECT_EQ(CodeOf(ReadBy(refusing, At("o/f"))), "CONSENT_DENIED");
  const auto decided = Records(audit::Event::kConsentDecided);
  ASSERT_EQ(decided.size(), 2u);
  EXPECT_EQ(decided[0].channel, "client");
  EXPECT_EQ(decided[0].choice, "once");
  EXPECT_EQ(decided[1].choice, "deny");
}

TEST_F(ClientConsent, DirectoryHoldsForTheSession) {
  auto exchange = Answering(Accepted("directory"));
  EXPECT_TRUE(ReadBy(exchange, At("o/f")));
  EXPECT_TRUE(ReadBy(exchange, At("o/g")));
  EXPECT_EQ(exchange.asked.size(), 1u);
}

TEST_F(ClientConsent, ToolHoldsForTheSession) {
  auto exchange = Answering(Accepted("tool"));
  EXPECT_TRUE(WriteBy(exchange, "new", "x"));
  EXPECT_TRUE(WriteBy(exchange, "other", "x"));
  EXPECT_EQ(exchange.asked.size(), 1u);
  EXPECT_EQ(ReadFile(At("w/other")), "x");
}

TEST_F(ClientConsent, WhatIsNoAgreementIsNone) {
  const std::vector<std::pair<ClientAnswer, std::string>> cases = {
      {Said("decline"), "CONSENT_DENIED"},
      {Said("cancel"), "CONSENT_UNAVAILABLE"},
      {Said("accept"), "CONSENT_UNAVAILABLE"},
      {Accepted("tool"), "CONSENT_UNAVAILABLE"},  // not offered for what lies outside
      {Accepted("always"), "CONSENT_UNAVAILABLE"},
      {json::object{{"action", 1}}, "CONSENT_UNAVAILABLE"},
      {json::object{}, "CONSENT_UNAVAILABLE"},
      {Failing(AskFailure::kTimeout), "CONSENT_UNAVAILABLE"},
      {Failing(AskFailure::kCancelled), "CONSENT_UNAVAILABLE"},
  };
  for (const auto& [answer, code] : cases) {
    auto exchange = Answering(answer);
    EXPECT_EQ(CodeOf(RemoveBy(exchange, At("o/f"))), code);
    EXPECT_TRUE(Exists(At("o/f")));
  }
  EXPECT_EQ(Asked(), 0u) << "the desk is no second chance";
}

TEST_F(ClientConsent, WhoCannotBeAskedLeavesItToTheDesk) {
  StartAnswering(Choice::kOnce);
  auto without = Answering(Accepted("once"));
  without.client_.capabilities.clear();
  EXPECT_TRUE(ReadBy(without, At("o/f")));
  EXPECT_TRUE(without.asked.empty());
  EXPECT_EQ(Asked(), 1u);
  auto incapable = Answering(Failing(AskFailure::kIncapable));
  EXPECT_TRUE(ReadBy(incapable, At("o/f")));
  auto refusing = Answering(Failing(AskFailure::kRefused));
  EXPECT_TRUE(ReadBy(refusing, At("o/f")));
  EXPECT_EQ(Asked(), 3u);
}

TEST_F(ClientConsent, FormsSayWhatIsAgreedTo) {
  WriteFile(At("o/a\nAllow once"), "x");
  auto exchange = Answering(Accepted("deny"));
  EXPECT_FALSE(RemoveBy(exchange, At("o/a\nAllow once")));
  ASSERT_EQ(exchange.asked.size(), 1u);
  const json::object& form = exchange.asked.front();
  const std::string message(form.at("message").as_string());
  EXPECT_NE(message.find("Tool wants to delete: "), std::string::npos) << message;
  EXPECT_NE(message.find("a\\nAllow once"), std::string::npos) << message;
  EXPECT_EQ(message.find("\nAllow once"), std::string::npos) << message;
  const json::object& field =
      form.at("requestedSchema").at("properties").at("decision").as_object();
  EXPECT_EQ(field.at("default").as_string(), "deny");
  EXPECT_EQ(field.at("oneOf").as_array().back().at("const").as_string(), "deny");
}

TEST_F(ClientConsent, OldClientsGetFormsTheyKnow) {
  auto exchange = Answering(Accepted("once"));
  exchange.client_.revision = mcp::Revision::k2025_06_18;
  EXPECT_TRUE(ReadBy(exchange, At("o/f")));
  const json::object& form = exchange.asked.front();
  EXPECT_FALSE(form.contains("mode"));
  const json::object& field =
      form.at("requestedSchema").at("properties").at("decision").as_object();
  EXPECT_TRUE(field.contains("enum"));
  EXPECT_FALSE(field.contains("oneOf"));
}

TEST_F(ClientConsent, PendingThenAnswered) {
  RoundExchange first;
  // Reported as done, which nobody is told, so that all that must be asked is.
  EXPECT_EQ(CodeOf(RemoveBy(first, At("o/f"))), "done");
  EXPECT_EQ(first.pending.size(), 1u);
  EXPECT_TRUE(Exists(At("o/f")));
  EXPECT_EQ(Asked(), 0u) << "no other channel is tried";
  const auto decided = Records(audit::Event::kConsentDecided);
  ASSERT_EQ(decided.size(), 1u);
  EXPECT_EQ(decided[0].rule, "asked the client, who has to call again");
  RoundExchange second = first.Next(Accepted("once"));
  EXPECT_TRUE(RemoveBy(second, At("o/f")));
  EXPECT_TRUE(second.pending.empty());
  EXPECT_FALSE(Exists(At("o/f")));
}

TEST_F(ClientConsent, PendingThenDenied) {
  RoundExchange first;
  EXPECT_TRUE(RemoveBy(first, At("o/f")));
  ASSERT_EQ(first.pending.size(), 1u);
  ASSERT_TRUE(Exists(At("o/f")));
  RoundExchange second = first.Next(Said("decline"));
  EXPECT_EQ(CodeOf(RemoveBy(second, At("o/f"))), "CONSENT_DENIED");
  EXPECT_TRUE(second.pending.empty());
  EXPECT_TRUE(Exists(At("o/f")));
}

TEST_F(ClientConsent, AnAnswerIsAboutTheObjectThatWasSeen) {
  RoundExchange first;
  EXPECT_TRUE(RemoveBy(first, At("o/f")));
  ASSERT_EQ(first.pending.size(), 1u);
  ASSERT_TRUE(Exists(At("o/f")));
  // Same name, same size, another file.
  WriteFile(At("o/x"), "OUTSIDE");
  ASSERT_EQ(::rename(At("o/x").c_str(), At("o/f").c_str()), 0);
  RoundExchange second = first.Next(Accepted("once"));
  EXPECT_TRUE(RemoveBy(second, At("o/f")));
  EXPECT_EQ(ReadFile(At("o/f")), "OUTSIDE");
  EXPECT_EQ(second.pending.size(), 1u) << "asked anew";
  RoundExchange third = second.Next(Accepted("once"));
  EXPECT_TRUE(RemoveBy(third, At("o/f")));
}

TEST_F(ClientConsent, AnAnswerWithoutItsStateIsNone) {
  RoundExchange first;
  EXPECT_TRUE(RemoveBy(first, At("o/f")));
  ASSERT_EQ(first.pending.size(), 1u);
  ASSERT_TRUE(Exists(At("o/f")));
  RoundExchange second = first.Next(Accepted("once"));
  second.carried_.reset();  // as when the state was used already, or is another's
  EXPECT_TRUE(RemoveBy(second, At("o/f")));
  EXPECT_TRUE(Exists(At("o/f")));
  EXPECT_EQ(second.pending.size(), 1u);
  // An answer to one question does not do for another one.
  RoundExchange other = first.Next(Accepted("once"));
  EXPECT_TRUE(RemoveBy(other, At("o/g")));
  EXPECT_EQ(other.pending.size(), 1u);
  EXPECT_TRUE(Exists(At("o/g")));
}

TEST_F(ClientConsent, AnAnswerCountsOnce) {
  RoundExchange first;
  EXPECT_FALSE(ReadBy(first, At("o/f")));
  RoundExchange second = first.Next(Accepted("once"));
  std::mutex in_use;
  mcp_tools::ClientChannel channel(second, in_use);
  EXPECT_TRUE(ReadOn(channel, At("o/f")));
  EXPECT_FALSE(ReadOn(channel, At("o/f")));
  EXPECT_EQ(second.pending.size(), 1u);
}

TEST_F(ClientConsent, SeveralQuestionsOfOneCall) {
  const auto both = [this](RoundExchange& round) {
    std::mutex in_use;
    mcp_tools::ClientChannel channel(round, in_use);
    const bool one = ReadOn(channel, At("o/f")).has_value();
    return one && ReadOn(channel, At("o/g")).has_value();
  };
  RoundExchange first;
  EXPECT_FALSE(both(first));
  RoundExchange second = first.Next(Accepted("once"));
  EXPECT_FALSE(both(second));
  ASSERT_EQ(second.pending.size(), 1u);
  RoundExchange third = second.Next(Accepted("once"));
  EXPECT_TRUE(both(third)) << "the first answer was carried along";
  EXPECT_TRUE(third.pending.empty());
}

TEST_F(ClientConsent, UnansweredIsAskedAgain) {
  RoundExchange first;
  EXPECT_FALSE(ReadBy(first, At("o/f")));
  RoundExchange second = first.Next(Accepted("once"));
  second.responses.clear();
  EXPECT_FALSE(ReadBy(second, At("o/f")));
  EXPECT_EQ(second.pending.size(), 1u);
  RoundExchange third = second.Next(Accepted("once"));
  EXPECT_TRUE(ReadBy(third, At("o/f")));
}

TEST_F(ClientConsent, NotForEver) {
  RoundExchange round;
  for (int i = 0; i < mcp_tools::kMostRounds; ++i) {
    EXPECT_FALSE(ReadBy(round, At("o/f")));
    EXPECT_FALSE(round.pending.empty());
    // Another file each time: no answer ever fits.
    WriteFile(At("o/x"), "outside");
    ASSERT_EQ(::rename(At("o/x").c_str(), At("o/f").c_str()), 0);
    round = round.Next(Accepted("once"));
  }
  EXPECT_FALSE(ReadBy(round, At("o/f")));
  EXPECT_TRUE(round.pending.empty());
}

TEST_F(ClientConsent, WhoAsksNobodyIsRefused) {
  StartAnswering(Choice::kOnce);
  guard::Call call{"resources/list", policy::ToolKind::kRead, {}};
  call.asks = guard::Call::Asks::kNever;
  EXPECT_EQ(CodeOf(guard_->OpenRead(call, At("o/f"))), "CONSENT_UNAVAILABLE");
  EXPECT_EQ(Asked(), 0u);
}

}  // namespace
}  // namespace cordon::testing
