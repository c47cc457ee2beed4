#include "confine/temporary_name.h"

#include <gtest/gtest.h>

namespace cordon::confine {
namespace {

TEST(TemporaryName, IsKnownUntilItIsSomebodysOrLongAgo) {
  const std::string first = TemporaryName();
  const std::string second = TemporaryName();
  EXPECT_NE(first, second);
  EXPECT_TRUE(IsTemporary(first));
  EXPECT_TRUE(IsTemporary(second));
  EXPECT_FALSE(IsTemporary(".cordon-0123456789abcdef.tmp"));  // another process's
  KeepName(first);
  EXPECT_FALSE(IsTemporary(first));
  for (int i = 0; i < 5000; ++i) static_cast<void>(TemporaryName());
  EXPECT_FALSE(IsTemporary(second));
}

}  // namespace
}  // namespace cordon::confine
