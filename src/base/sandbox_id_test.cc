#include "base/sandbox_id.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <type_traits>

namespace cordon {
namespace {

using Random = std::array<std::uint8_t, SandboxId::kRandomBytes>;

SandboxId Of(const Random& random) { return SandboxId::FromRandom(random); }

static_assert(!std::is_default_constructible_v<SandboxId>);
static_assert(!std::is_constructible_v<SandboxId, std::string>);

TEST(SandboxId, IsTwentySixCharactersOfBase32) {
  Random random{};
  EXPECT_EQ(Of(random).text(), "aaaaaaaaaaaaaaaaaaaaaaaaaa");
  random.fill(0xff);
  EXPECT_EQ(Of(random).text(), "77777777777777777777777777");
  // RFC 4648's own example, in lower case: "foobar" is MZXW6YTBOI.
  random = {'f', 'o', 'o', 'b', 'a', 'r'};
  EXPECT_EQ(Of(random).text().substr(0, 9), "mzxw6ytbo");
  EXPECT_EQ(Of(random).text().size(), SandboxId::kLength);
}

// 130 of the 136 bits are in it, each of them once.
TEST(SandboxId, EveryBitTells) {
  std::set<std::string> seen;
  for (std::size_t bit = 0; bit < 130; ++bit) {
    Random random{};
    random[bit / 8] = static_cast<std::uint8_t>(0x80 >> (bit % 8));
    EXPECT_TRUE(seen.insert(Of(random).text()).second) << bit;
  }
  EXPECT_FALSE(seen.contains(Of(Random{}).text()));
}

TEST(SandboxId, ParsesWhatItMade) {
  Random random{};
  for (unsigned round = 0; round < 256; ++round) {
    for (std::size_t i = 0; i < random.size(); ++i) {
      random[i] = static_cast<std::uint8_t>(round * 31 + i * 97);
    }
    const SandboxId id = Of(random);
    const auto parsed = SandboxId::Parse(id.text());
    ASSERT_TRUE(parsed) << id.text();
    EXPECT_EQ(*parsed, id);
    EXPECT_TRUE(IsUrlSafeSandboxId(id.text()));
  }
}

TEST(SandboxId, ParsesNothingElse) {
  const std::string good = "abcdefghijklmnopqrstuvwxyz";
  ASSERT_TRUE(SandboxId::Parse(good));
  EXPECT_FALSE(SandboxId::Parse(""));
  EXPECT_FALSE(SandboxId::Parse(good.substr(1)));
  EXPECT_FALSE(SandboxId::Parse(good + "a"));
  EXPECT_FALSE(SandboxId::Parse("ABCDEFGHIJKLMNOPQRSTUVWXYZ"));
  // Every byte at every place: a-z and 2-7 alone.
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (unsigned byte = 0; byte < 256; ++byte) {
      std::string text = good;
      text[at] = static_cast<char>(byte);
      const bool fine = (byte >= 'a' && byte <= 'z') || (byte >= '2' && byte <= '7');
      EXPECT_EQ(SandboxId::Parse(text).has_value(), fine) << at << " " << byte;
    }
  }
}

TEST(UrlSafeSandboxId, TakesLettersDigitsAndInnerHyphens) {
  for (const char* text : {"a", "Z", "0", "sandbox-123", "a-b", "A--b", "ABC"}) {
    EXPECT_TRUE(IsUrlSafeSandboxId(text)) << text;
  }
  for (const char* text : {"", "-", "-a", "a-", "a_b", "a.b", "a b", "a/b", "a%2e", "../a", "a\n",
                           "\xc3\xa4", "a:b", "a@b", "a?b", "a#b"}) {
    EXPECT_FALSE(IsUrlSafeSandboxId(text)) << text;
  }
  EXPECT_FALSE(IsUrlSafeSandboxId(std::string_view("a\0b", 3)));
}

TEST(UrlSafeSandboxId, FitsALabel) {
  EXPECT_TRUE(IsUrlSafeSandboxId(std::string(63, 'a')));
  EXPECT_FALSE(IsUrlSafeSandboxId(std::string(64, 'a')));
}

// As 003 has it: /^[a-zA-Z0-9-]+$/, here without hyphens at the ends.
TEST(UrlSafeSandboxId, KnowsEveryByte) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    const std::string text = std::string("a") + static_cast<char>(byte) + "b";
    const bool fine = byte == '-' || (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
                      (byte >= 'A' && byte <= 'Z');
    EXPECT_EQ(IsUrlSafeSandboxId(text), fine) << byte;
  }
}

}  // namespace
}  // namespace cordon
