#include "base/percent.h"

#include <gtest/gtest.h>

#include "base/printable.h"
#include "base/unicode.h"

namespace cordon {
namespace {

TEST(Percent, LeavesTextAloneAndGivesBackEveryByteString) {
  EXPECT_EQ(PercentEncode("src/日本語 a"), "src/日本語 a");
  EXPECT_EQ(PercentEncode("a\xff%\n\x7f"), "a%FF%25%0A%7F");
  for (int high = 0; high < 256; ++high) {
    for (int low = 0; low < 256; ++low) {
      const std::string bytes = {static_cast<char>(high), static_cast<char>(low), '%'};
      const std::string encoded = PercentEncode(bytes);
      ASSERT_TRUE(unicode::IsValidUtf8(encoded));
      ASSERT_EQ(*PercentDecode(encoded), bytes);
    }
  }
}

TEST(Percent, RefusesWhatIsNotHexadecimal) {
  EXPECT_EQ(*PercentDecode("%2f%2F"), "//");
  for (const char* text : {"%", "a%", "%2", "%g0", "%0g", "%%41", "% 1",
                           "%\xc1"
                           "1"}) {
    const Result<std::string> decoded = PercentDecode(text);
    ASSERT_FALSE(decoded) << text;
    EXPECT_EQ(decoded.error().code, ErrorCode::kInvalidArguments);
  }
}

TEST(PrintableJson, EscapesWhatDoesNotShowAsItself) {
  EXPECT_EQ(PrintableJson(R"({"a":"日本語 \n"})"), R"({"a":"日本語 \n"})");
  EXPECT_EQ(PrintableJson("\"\u202e\u200b\U000e0041\x7f\""),
            "\"\\u202e\\u200b\\udb40\\udc41\\u007f\"");
}

}  // namespace
}  // namespace cordon
