#include "preview/access.h"

#include <gtest/gtest.h>

#include "tests/tree.h"

namespace cordon::preview {
namespace {

const SandboxId kOne = SandboxId::Parse("abcdefghijklmnopqrstuvwxyz").value();
const SandboxId kOther = SandboxId::Parse("zbcdefghijklmnopqrstuvwxyz").value();

TEST(Access, AGrantOpensOneSandboxUntilItExpires) {
  AccessKey key("secret");
  const std::string grant = key.Grant(kOne, 1000);
  EXPECT_EQ(key.Check(grant, kOne, 999), 1000);
  EXPECT_FALSE(key.Check(grant, kOne, 1000));
  EXPECT_FALSE(key.Check(grant, kOther, 999));
  EXPECT_FALSE(AccessKey("another").Check(grant, kOne, 999));
}

TEST(Access, NothingButAGrantIsOne) {
  AccessKey key("secret");
  const std::string grant = key.Grant(kOne, 1000);
  std::string later = grant;
  later.replace(0, 4, "2000");
  std::string upper = grant;
  upper.back() = 'F';
  for (const std::string& bad :
       {std::string(), std::string("."), std::string("1000."), later, grant + "0", " " + grant,
        "0" + grant, grant.substr(0, grant.size() - 1), upper, "-" + grant, grant.substr(5)}) {
    EXPECT_FALSE(key.Check(bad, kOne, 1)) << bad;
  }
}

TEST(Access, EveryBitOfTheSignatureCounts) {
  AccessKey key("secret");
  const std::string grant = key.Grant(kOne, 1000);
  for (std::size_t i = 5; i < grant.size(); ++i) {
    std::string forged = grant;
    forged[i] = forged[i] == '0' ? '1' : '0';
    EXPECT_FALSE(key.Check(forged, kOne, 1)) << i;
  }
}

TEST(Access, TheKeyStaysInTheStateDirectory) {
  testing::Tree tree;
  const std::string place = tree.At("state");
  auto first = AccessKey::ReadOrMake(place);
  ASSERT_TRUE(first.has_value()) << first.error().detail;
  const std::string grant = first->Grant(kOne, 1000);
  auto second = AccessKey::ReadOrMake(place);
  ASSERT_TRUE(second.has_value());
  EXPECT_TRUE(second->Check(grant, kOne, 1));
  auto elsewhere = AccessKey::ReadOrMake(tree.At("other"));
  ASSERT_TRUE(elsewhere.has_value());
  EXPECT_FALSE(elsewhere->Check(grant, kOne, 1));
}

TEST(Access, AKeyThatIsNoneIsNotUsed) {
  testing::Tree tree;
  ASSERT_TRUE(AccessKey::ReadOrMake(tree.At("state")).has_value());
  tree.File("state/preview.key", "short\n");
  EXPECT_FALSE(AccessKey::ReadOrMake(tree.At("state")).has_value());
}

TEST(Access, TheEntranceLeadsToThisHostAlone) {
  for (const std::string path : {"/", "/a/b?c=d&to=/e#f", "/%41"}) {
    const auto parsed = ParseEntrance(EntranceTarget("1.ab", path));
    ASSERT_TRUE(parsed) << path;
    EXPECT_EQ(parsed->grant, "1.ab");
    EXPECT_EQ(parsed->path, path);
  }
  for (const std::string path : {"//evil.example", "/\\evil.example", "https://evil.example",
                                 "evil", "", "/a\r\nSet-Cookie: x=y", "/\\", "/a b"}) {
    EXPECT_FALSE(ParseEntrance(EntranceTarget("1.ab", path))) << path;
  }
  EXPECT_FALSE(ParseEntrance("/.cordon/enter"));
  EXPECT_FALSE(ParseEntrance("/.cordon/entergrant=1"));
  EXPECT_FALSE(ParseEntrance("/x?grant=1"));
}

TEST(Access, OurCookiesAreKnownByTheirNames) {
  EXPECT_TRUE(IsOurCookie(CookieName(kOne, Mode::kDevelopment)));
  EXPECT_TRUE(IsOurCookie(CookieName(kOne, Mode::kProduction)));
  EXPECT_TRUE(IsOurCookie("CORDON-preview-x"));
  EXPECT_TRUE(IsOurCookie("cordon_7070"));
  EXPECT_FALSE(IsOurCookie("cordon"));
  EXPECT_FALSE(IsOurCookie("session"));
  const std::string text = CookieText("n", "1.ab", std::chrono::seconds(60));
  EXPECT_EQ(text, "n=1.ab; Path=/; Max-Age=60; Secure; HttpOnly; SameSite=None; Partitioned");
}

}  // namespace
}  // namespace cordon::preview
