#include "provision/facts_text.h"

#include <gtest/gtest.h>

namespace cordon::provision {
namespace {

TEST(FactsText, IsReadBack) {
  Facts facts;
  facts.isolation = Isolation::kGvisor;
  facts.isolation_detail = "runsc \"x\", ptrace";
  facts.handle = "abc";
  facts.resources = {0.5, std::uint64_t{1} << 40, 100, 7};
  const Facts again = DecodeFacts(EncodeFacts(facts)).value();
  EXPECT_EQ(again.isolation, facts.isolation);
  EXPECT_EQ(again.isolation_detail, facts.isolation_detail);
  EXPECT_EQ(again.handle, facts.handle);
  EXPECT_EQ(again.resources.cpus, 0.5);
  EXPECT_EQ(again.resources.memory, facts.resources.memory);
  EXPECT_EQ(again.resources.processes, 100u);
  EXPECT_EQ(again.resources.disk, 7u);
}

TEST(FactsText, TellsWhatHoldsTheDisk) {
  for (const DiskHold hold : {DiskHold::kNot, DiskHold::kWatched, DiskHold::kQuota}) {
    Facts facts;
    facts.disk_hold = hold;
    EXPECT_EQ(DecodeFacts(EncodeFacts(facts))->disk_hold, hold);
  }
}

TEST(FactsText, NothingElseIs) {
  const std::string good = EncodeFacts({});
  for (std::size_t cut = 0; cut < good.size(); ++cut) {
    EXPECT_FALSE(DecodeFacts(good.substr(0, cut))) << cut;
  }
  std::string odd = good;
  odd.replace(odd.find("container"), 9, "steelsafe");
  EXPECT_FALSE(DecodeFacts(odd));
}

TEST(Isolation, NamesAreParsedBack) {
  for (const Isolation isolation :
       {Isolation::kContainer, Isolation::kKernelLine, Isolation::kGvisor}) {
    EXPECT_EQ(ParseIsolation(IsolationName(isolation)), isolation);
  }
  EXPECT_FALSE(ParseIsolation("vm"));
}

}  // namespace
}  // namespace cordon::provision
