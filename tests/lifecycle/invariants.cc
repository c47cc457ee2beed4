#include "tests/lifecycle/invariants.h"

#include <gtest/gtest.h>

#include <map>

namespace cordon::provision {

using store::Sandbox;
using store::SandboxState;

void ExpectSettled(store::Store& store, FakeDriver& driver, std::size_t most_per_user) {
  std::map<SandboxId, Found> objects;
  const auto listed = driver.List().value();
  for (const Found& found : listed) objects.emplace(found.id, found);
  store::SandboxFilter all;
  all.most = 100'000;
  const auto records = store.ListSandboxes(all).value();
  std::map<std::string, std::size_t> per_user;
  for (const Sandbox& sandbox : records) {
    const auto object = objects.find(sandbox.id);
    const std::string_view state = store::StateName(sandbox.state);
    if (store::HasEnded(sandbox.state)) {
      EXPECT_EQ(object, objects.end()) << "left of one that is " << state;
      EXPECT_FALSE(sandbox.port) << "a port of one that is " << state;
      EXPECT_FALSE(sandbox.reason.empty()) << "a tombstone without a reason";
      continue;
    }
    EXPECT_TRUE(sandbox.state == SandboxState::kReady || sandbox.state == SandboxState::kPaused)
        << "one is still " << state;
    if (sandbox.pooled == Sandbox::Pooled::kNo) ++per_user[sandbox.user];
    ASSERT_NE(object, objects.end()) << "nothing there of one that is " << state;
    const Liveness expected =
        sandbox.state == SandboxState::kReady ? Liveness::kRunning : Liveness::kPaused;
    EXPECT_EQ(object->second.liveness, expected) << state;
    EXPECT_EQ(object->second.making, Found::Making::kFinished);
    EXPECT_EQ(sandbox.handle, object->second.handle);
    objects.erase(object);
  }
  EXPECT_TRUE(objects.empty()) << objects.size() << " objects without a record";
  for (const auto& [user, count] : per_user) EXPECT_LE(count, most_per_user) << user;
  const auto users = store.ListUsers().value();
  for (const auto& user : users) {
    const auto conversations = store.ListConversations(user.id, {}, 100'000).value();
    for (const auto& conversation : conversations) EXPECT_TRUE(conversation.founded);
  }
}

}  // namespace cordon::provision
