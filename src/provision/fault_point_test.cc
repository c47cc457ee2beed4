// What the variable does is in tests/lifecycle/kill_test.cc.
#include "provision/fault_point.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace cordon::provision {
namespace {

TEST(FaultPoint, TellsTheHookAndOtherwiseNobody) {
  std::vector<std::string> passed;
  FaultPoint("before");
  SetFaultHookForTest([&](std::string_view name) { passed.emplace_back(name); });
  FaultPoint("one");
  FaultPoint("two");
  SetFaultHookForTest({});
  FaultPoint("after");
  EXPECT_EQ(passed, (std::vector<std::string>{"one", "two"}));
}

}  // namespace
}  // namespace cordon::provision
