#include "store/records.h"

#include <gtest/gtest.h>

#include <set>

namespace cordon::store {
namespace {

TEST(SandboxState, NamesAreParsedBack) {
  std::set<std::string_view> names;
  for (const SandboxState state :
       {SandboxState::kPending, SandboxState::kReady, SandboxState::kPaused,
        SandboxState::kTerminating, SandboxState::kTerminated, SandboxState::kFailed}) {
    EXPECT_EQ(ParseState(StateName(state)), state) << StateName(state);
    names.insert(StateName(state));
  }
  EXPECT_EQ(names, (std::set<std::string_view>{"pending", "ready", "paused", "terminating",
                                               "terminated", "failed"}));
  for (const char* text : {"", "Ready", "ready ", "dead"}) EXPECT_FALSE(ParseState(text)) << text;
}

TEST(SandboxState, EndedIsOverForGood) {
  EXPECT_TRUE(HasEnded(SandboxState::kTerminated));
  EXPECT_TRUE(HasEnded(SandboxState::kFailed));
  for (const SandboxState state : {SandboxState::kPending, SandboxState::kReady,
                                   SandboxState::kPaused, SandboxState::kTerminating}) {
    EXPECT_FALSE(HasEnded(state)) << StateName(state);
  }
}

}  // namespace
}  // namespace cordon::store
