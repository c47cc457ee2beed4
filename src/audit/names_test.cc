#include "audit/names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/unicode.h"

namespace cordon::audit {
namespace {

std::string Encoded(std::string_view bytes) {
  std::string text;
  AppendEncoded(text, bytes);
  return text;
}

TEST(Names, KeepsWhatShowsAsItself) {
  for (const char* name : {"src/a b.cc", "日本語", "naïve", "a'b&<c>", ""}) {
    EXPECT_EQ(Encoded(name), name);
  }
}

TEST(Names, EncodesWhatDoesNot) {
  EXPECT_EQ(Encoded("a\"b"), "a%22b");
  EXPECT_EQ(Encoded("a\\b"), "a%5Cb");
  EXPECT_EQ(Encoded("100%"), "100%25");
  EXPECT_EQ(Encoded("a\nb\x7f"), "a%0Ab%7F");
  EXPECT_EQ(Encoded("\xff\xfe"), "%FF%FE");
  EXPECT_EQ(Encoded("a\xE2\x80\xAE"
                    "b"),
            "a%E2%80%AEb");                         // right-to-left override
  EXPECT_EQ(Encoded("\xED\xA0\x80"), "%ED%A0%80");  // a surrogate is no UTF-8
  EXPECT_EQ(Encoded("\xC0\xAF"), "%C0%AF");         // nor is an overlong form
  EXPECT_EQ(Encoded(std::string_view("\0", 1)), "%00");
}

TEST(Names, AppendsToWhatIsThere) {
  std::string text = "x=";
  AppendEncoded(text, "%");
  EXPECT_EQ(text, "x=%25");
}

TEST(Names, GivesBackExactlyWhatWentIn) {
  std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): the same every time
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes(random() % 40, '\0');
    for (char& c : bytes) {
      // Mostly ASCII with the special ones, or any byte.
      c = random() % 2 == 0 ? "ab%\"\\\n2F"[random() % 8] : static_cast<char>(random());
    }
    const std::string text = Encoded(bytes);
    ASSERT_EQ(DecodeName(text).value(), bytes);
    ASSERT_TRUE(unicode::IsValidUtf8(text));
    ASSERT_EQ(text.find_first_of("\"\\"), std::string::npos);
    ASSERT_TRUE(std::none_of(text.begin(), text.end(), [](char c) { return c >= 0 && c < ' '; }));
  }
}

TEST(Names, RefusesToDecodeWhatWasNeverEncoded) {
  for (const char* text : {"%", "%2", "a%2", "%2f", "%zz", "%%41", "%-1"}) {
    const auto decoded = DecodeName(text);
    ASSERT_FALSE(decoded.has_value()) << text;
    EXPECT_EQ(decoded.error().code, ErrorCode::kInvalidArguments);
  }
}

}  // namespace
}  // namespace cordon::audit
