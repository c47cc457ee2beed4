#include "consent/question_id.h"

#include <gtest/gtest.h>

#include <set>

namespace cordon::consent {
namespace {

TEST(QuestionId, Is128BitsInHexadecimalDigits) {
  const std::string id = NewQuestionId();
  EXPECT_EQ(id.size(), 32U);
  EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), std::string::npos) << id;
}

TEST(QuestionId, NeverRepeatsInAnyHalf) {
  constexpr std::size_t kMany = 10'000;
  std::set<std::string> halves;
  for (std::size_t i = 0; i < kMany; ++i) {
    const std::string id = NewQuestionId();
    halves.insert(id.substr(0, 16));
    halves.insert(id.substr(16));
  }
  EXPECT_EQ(halves.size(), 2 * kMany);
}

}  // namespace
}  // namespace cordon::consent
