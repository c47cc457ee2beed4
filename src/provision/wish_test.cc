#include "provision/wish.h"

#include <gtest/gtest.h>

namespace cordon::provision {
namespace {

TEST(Wishes, HaveOneText) {
  Wish wish;
  wish.driver = "d";
  wish.image = "i\"\n";
  wish.resources = {1.5, 1u << 20, 7, std::uint64_t{1} << 40};
  wish.environment = {"A=b", "C="};
  wish.network = "allow:example.org";
  wish.isolation = Isolation::kGvisor;
  wish.lifetime = std::chrono::seconds(5);
  wish.idle = std::chrono::seconds(6);
  const Wish again = DecodeWish(Encode(wish)).value();
  EXPECT_EQ(Encode(again), Encode(wish));
  EXPECT_EQ(again.resources.disk, wish.resources.disk);
  EXPECT_EQ(again.isolation, Isolation::kGvisor);
  EXPECT_EQ(again.environment, wish.environment);
  EXPECT_EQ(Encode(DecodeWish(Encode(Wish())).value()), Encode(Wish()));
  Wish other = wish;
  other.lifetime.reset();
  EXPECT_NE(Encode(other), Encode(wish));
  EXPECT_EQ(PoolKey(other), PoolKey(wish));
  other.image = "j";
  EXPECT_NE(PoolKey(other), PoolKey(wish));
}

TEST(Wishes, NothingElseIsOne) {
  const std::string good = Encode(Wish());
  ASSERT_TRUE(DecodeWish(good));
  std::vector<std::string> texts = {"", "[]", "{}", "{\"driver\":1}", "nonsense"};
  for (std::size_t cut = 1; cut < good.size(); ++cut) texts.push_back(good.substr(0, cut));
  for (const std::string& text : texts) {
    const auto wish = DecodeWish(text);
    ASSERT_FALSE(wish) << text;
    EXPECT_EQ(wish.error().code, ErrorCode::kInvalidArguments);
  }
}

TEST(Wishes, ForLessThanASandboxNeedsAreRefused) {
  Wish wish;
  wish.resources.memory = (8U << 20U) - 1;
  EXPECT_FALSE(CheckWish(wish));
  wish.resources.memory = 8U << 20U;
  wish.resources.processes = 4;
  EXPECT_TRUE(CheckWish(wish));
  wish.resources.processes = 3;
  EXPECT_FALSE(CheckWish(wish));
  wish.resources = {};
  wish.resources.disk = (1U << 20U) - 1;
  EXPECT_FALSE(CheckWish(wish));
  wish.resources.disk = 1U << 20U;
  EXPECT_TRUE(CheckWish(wish));
}

TEST(Wishes, BecomeTerms) {
  Wish wish;
  wish.image = "i";
  wish.environment = {"A=b"};
  wish.network = "full";
  const SandboxId id = SandboxId::Parse("aaaaaaaaaaaaaaaaaaaaaaaaaa").value();
  const Terms terms = TermsOf(id, wish);
  EXPECT_EQ(terms.id, id);
  EXPECT_EQ(terms.image, "i");
  EXPECT_EQ(terms.environment, wish.environment);
  EXPECT_EQ(terms.network, "full");
  EXPECT_EQ(terms.isolation, Isolation::kContainer) << "whatever the driver gives";
  wish.isolation = Isolation::kGvisor;
  EXPECT_EQ(TermsOf(id, wish).isolation, Isolation::kGvisor);
}

}  // namespace
}  // namespace cordon::provision
