#include "search/finder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>

namespace cordon::search {
namespace {

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

std::size_t Naive(std::string_view text, std::string_view needle, std::size_t from,
                  AsciiCase ascii_case) {
  const auto equal = [&](char a, char b) {
    return ascii_case == AsciiCase::kSensitive ? a == b : Lower(a) == Lower(b);
  };
  const auto at = std::search(text.begin() + static_cast<std::ptrdiff_t>(from), text.end(),
                              needle.begin(), needle.end(), equal);
  return at == text.end() ? std::string_view::npos : static_cast<std::size_t>(at - text.begin());
}

std::string Random(std::mt19937& random, std::size_t size, std::string_view letters) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i) text += letters[random() % letters.size()];
  return text;
}

TEST(Finders, FindWhatANaiveSearchFinds) {
  std::mt19937 random(7);
  for (int round = 0; round < 20'000; ++round) {
    const std::string_view letters = round % 2 == 0 ? "abAB" : "ab\n_Zz`@[{\xE1\xC1";
    const std::string text = Random(random, random() % 200, letters);
    const std::string needle = Random(random, 1 + random() % 4, letters);
    const AsciiCase ascii_case = round % 3 == 0 ? AsciiCase::kSensitive : AsciiCase::kInsensitive;
    const std::size_t from = random() % (text.size() + 1);
    ASSERT_EQ(Finder(needle, ascii_case).Find(text, from), Naive(text, needle, from, ascii_case))
        << text << " / " << needle << " / " << from;
  }
}

TEST(Finders, WideAndPlainFormsAgree) {
  if (!wide::Available()) GTEST_SKIP() << "this processor has no wide form";
  std::mt19937 random(8);
  for (int round = 0; round < 5000; ++round) {
    const std::string text = Random(random, random() % 300, "abcABC\n");
    const BytePair pair{0, 2, 'a', 'b', static_cast<unsigned char>(round % 2 == 0 ? 0x20 : 0), 0};
    const std::size_t from = random() % (text.size() + 1);
    ASSERT_EQ(wide::FindPair(text, from, pair, 3), plain::FindPair(text, from, pair, 3));
    ASSERT_EQ(wide::CountByte(text, '\n'), plain::CountByte(text, '\n'));
  }
  const std::string many(100'000, '\n');
  EXPECT_EQ(wide::CountByte(many, '\n'), many.size());
}

TEST(Finders, HostileTextTakesNoLonger) {
  const std::string text(8 << 20, 'a');
  const std::string needle = std::string(2000, 'a') + "b" + std::string(2000, 'a');
  const auto since = std::chrono::steady_clock::now();
  EXPECT_EQ(Finder(needle, AsciiCase::kSensitive).Find(text, 0), std::string::npos);
  EXPECT_EQ(Finder(std::string(4000, 'a') + "B", AsciiCase::kInsensitive).Find(text, 0),
            std::string::npos);
  EXPECT_LT(std::chrono::steady_clock::now() - since, std::chrono::seconds(10));
}

}  // namespace
}  // namespace cordon::search
