#include "consent/key_decoder.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::consent {
namespace {

using M = KeyMeaning;

// What the bytes mean, nothings left out; the pause after them included.
std::vector<M> Meanings(std::string_view bytes) {
  KeyDecoder decoder;
  std::vector<M> meanings;
  for (const char byte : bytes) meanings.push_back(decoder.Feed(byte));
  meanings.push_back(decoder.Expire());
  std::erase(meanings, M::kNothing);
  return meanings;
}

TEST(KeyDecoder, KnowsTheKeys) {
  EXPECT_EQ(Meanings("1"), std::vector{M::kFirst});
  EXPECT_EQ(Meanings("2"), std::vector{M::kSecond});
  EXPECT_EQ(Meanings("3"), std::vector{M::kThird});
  EXPECT_EQ(Meanings("\r"), std::vector{M::kTake});
  EXPECT_EQ(Meanings("\n"), std::vector{M::kTake});
  EXPECT_EQ(Meanings("\x1b[A"), std::vector{M::kUp});
  EXPECT_EQ(Meanings("\x1b[B"), std::vector{M::kDown});
  EXPECT_EQ(Meanings("\x1bOA"), std::vector{M::kUp});
  EXPECT_EQ(Meanings("\x1bOB"), std::vector{M::kDown});
  EXPECT_EQ(Meanings("kj"), (std::vector{M::kUp, M::kDown}));
  EXPECT_EQ(Meanings("\x1b[A\x1b[A\r"), (std::vector{M::kUp, M::kUp, M::kTake}));
}

TEST(KeyDecoder, DeniesOnControlKeysAndALoneEscape) {
  for (const char* bytes : {"\x03", "\x04", "\x1c", "\x1b", "\x1b\x1b", "\x1b\x03", "\x1b[\x03"}) {
    EXPECT_EQ(Meanings(bytes), std::vector{M::kDeny}) << bytes;
  }
  KeyDecoder decoder;
  EXPECT_EQ(decoder.Feed('\x1b'), M::kNothing) << "an arrow may follow";
  EXPECT_TRUE(decoder.waiting());
  EXPECT_EQ(decoder.Expire(), M::kDeny);
  EXPECT_FALSE(decoder.waiting());
}

TEST(KeyDecoder, SwallowsWhatIsNoAnswer) {
  for (const std::string_view bytes :
       std::vector<std::string_view>{"\x1b[1~",
                                     "\x1b[11~",
                                     "\x1b[1;5A",
                                     "\x1b[3~",
                                     "\x1b[[A",
                                     "\x1b[M123",
                                     "\x1b[<0;1;2M",
                                     "\x1b[200~",
                                     "\x1b]11;rgb:1111/2222/3333\x07",
                                     "\x1b]11;1\x1b\\",
                                     "\x1bP1$r1\x1b\\",
                                     "\x1b_123\x1b\\",
                                     "\x1b\x31",
                                     "\x1b\r",
                                     "\x1bO1",
                                     "\x9b\x31~",
                                     "0456789qxyz \t\x7f",
                                     "\xc4\x9b",
                                     "\xe6\x97\xa5",
                                     "\xf0\x9f\x99\x82",
                                     "\x1b[1",
                                     "\x1b]1",
                                     "\x1b[M1"}) {
    EXPECT_EQ(Meanings(bytes), std::vector<M>{}) << bytes;
    const std::string then = std::string(bytes) + "\x1b[A";
    static_cast<void>(Meanings(then));
  }
  EXPECT_EQ(Meanings("\xc4\x9b\x33"), std::vector{M::kThird}) << "a letter is no sequence";
}

TEST(KeyDecoder, APauseEndsEverySequence) {
  for (const char* begun : {"\x1b[1", "\x1b]1", "\x1bP", "\x1b[M", "\xe6", "\x1bO", "\x1b[["}) {
    KeyDecoder decoder;
    for (const char* byte = begun; *byte != 0; ++byte) {
      EXPECT_EQ(decoder.Feed(*byte), M::kNothing);
    }
    EXPECT_EQ(decoder.Expire(), M::kNothing);
    EXPECT_EQ(decoder.Feed('1'), M::kFirst) << begun;
  }
}

TEST(KeyDecoder, NeverAgreesWithoutAKeyThatDoes) {
  std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): the same every time
  const std::string_view harmless = "\x1b[]OPM;?<~\x07\\ABCDk\x9b\xc4\xe6";
  for (int round = 0; round < 20'000; ++round) {
    KeyDecoder decoder;
    for (int i = 0; i < 20; ++i) {
      const M meaning =
          random() % 5 == 0 ? decoder.Expire() : decoder.Feed(harmless[random() % harmless.size()]);
      ASSERT_NE(meaning, M::kFirst);
      ASSERT_NE(meaning, M::kSecond);
      ASSERT_NE(meaning, M::kTake);
    }
  }
}

}  // namespace
}  // namespace cordon::consent
