#include "serve/chain_check.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "audit/log.h"
#include "tests/tree.h"

namespace cordon::serve {
namespace {

class ChainCheckTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto log = audit::Log::Open(place_, {}, confine::AmbientAuthority::OfThisProcess());
    ASSERT_TRUE(log.has_value()) << log.error().detail;
    log_ = std::move(*log);
  }
  void Append(int count) {
    for (int i = 0; i < count; ++i) {
      audit::Record record;
      record.event = audit::Event::kSessionStarted;
      record.session = "s";
      record.actor = "before";
      ASSERT_TRUE(log_->Append(record, audit::Durability::kWithKernel).has_value());
    }
    ASSERT_TRUE(log_->Flush().has_value());
  }
  void Spoil() {
    std::ostringstream text;
    text << std::ifstream(place_.log_file).rdbuf();
    std::string changed = text.str();
    const std::size_t at = changed.find("before");
    ASSERT_NE(at, std::string::npos);
    std::fstream file(place_.log_file, std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(at)) << "beforf";
  }

  testing::Tree tree_;
  audit::LogPlace place_{tree_.At("log/audit.jsonl"), tree_.At("log/key")};
  std::shared_ptr<audit::Log> log_;
  store::Time now_ = 1'000'000;
  ChainCheck check_{place_, [this] { return now_; }};
};

TEST_F(ChainCheckTest, CountsAllWhileItLooksAtWhatIsNew) {
  Append(3);
  const auto first = check_.Look();
  ASSERT_TRUE(first.has_value()) << first.error().detail;
  EXPECT_FALSE(first->result.damage);
  EXPECT_EQ(first->result.records, 4U);  // with the log's own first one
  Append(2);
  EXPECT_EQ(check_.Look()->result.records, 4U) << "good for a second";
  now_ += 1000;
  const auto second = check_.Look();
  ASSERT_TRUE(second.has_value());
  EXPECT_FALSE(second->result.damage);
  EXPECT_EQ(second->result.records, 6U);
  EXPECT_EQ(second->result.first, 1U);
  EXPECT_EQ(second->result.last, 6U);
}

TEST_F(ChainCheckTest, FindsDamageWhenItLooksAtAllAgainAndKeepsSayingSo) {
  Append(3);
  ASSERT_FALSE(check_.Look()->result.damage);
  Spoil();
  now_ += 60'000;
  ASSERT_TRUE(check_.Look()->result.damage);
  EXPECT_EQ(check_.Look()->result.damage->damage, audit::Damage::kChanged);
  now_ += 5000;
  EXPECT_TRUE(check_.Look()->result.damage);
}

}  // namespace
}  // namespace cordon::serve
