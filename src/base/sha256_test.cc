#include "base/sha256.h"

#include <gtest/gtest.h>

namespace cordon {
namespace {

TEST(Sha256, KnownAnswers) {
  EXPECT_EQ(ToHex(Sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(ToHex(Sha256("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, PiecesMakeTheWhole) {
  Sha256Stream stream;
  stream.Add("a");
  stream.Add("");
  stream.Add("bc");
  EXPECT_EQ(stream.Finish(), Sha256("abc"));
}

// RFC 4231, test cases 1 and 2.
TEST(HmacSha256, KnownAnswersAgainAndAgain) {
  HmacSha256 first(std::string(20, '\x0b'));
  HmacSha256 second("Jefe");
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(ToHex(first.Of("Hi There")),
              "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    EXPECT_EQ(ToHex(second.Of("what do ya want for nothing?")),
              "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  }
}

TEST(HmacSha256, AKeyLongerThanABlockIsHashedFirst) {
  HmacSha256 mac(std::string(131, '\xaa'));
  EXPECT_EQ(ToHex(mac.Of("Test Using Larger Than Block-Size Key - Hash Key First")),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  HmacSha256 moved = std::move(mac);
  EXPECT_EQ(ToHex(moved.Of("Test Using Larger Than Block-Size Key - Hash Key First")),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(Digest, HexIsReadBackAndNothingElseIs) {
  const Digest digest = Sha256("x");
  const std::string hex = ToHex(digest);
  ASSERT_TRUE(FromHex(hex));
  EXPECT_TRUE(SameDigest(*FromHex(hex), digest));
  EXPECT_FALSE(SameDigest(Sha256("y"), digest));
  EXPECT_FALSE(FromHex(hex.substr(1)));
  EXPECT_FALSE(FromHex(hex + "0"));
  std::string upper = hex;
  upper[0] = 'A';
  EXPECT_FALSE(FromHex(upper));
  upper[0] = ' ';
  EXPECT_FALSE(FromHex(upper));
}

}  // namespace
}  // namespace cordon
