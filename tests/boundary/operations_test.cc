// Rules for some operations only: no other operation does the same by another name.
#include "tests/support/resolvers.h"

namespace cordon::testing {
namespace {

using confine::OpenMode;

class Operations : public PerResolver {
 protected:
  confine::Root OpenDenying(const char* pattern, Operation operation) const {
    policy::DenyRule rule;
    rule.pattern = pattern;
    rule.operations = policy::OperationSet().set(static_cast<std::size_t>(operation));
    auto list = policy::DenyList::Compile({rule});
    confine::RootOptions options;
    options.resolver = GetParam();
    options.deny = std::make_shared<const policy::DenyList>(std::move(*list));
    return OpenWith(std::move(options));
  }
};
CORDON_PER_RESOLVER(Operations);

TEST_P(Operations, WhatMayNotBeCreatedIsNotMadeByWriting) {
  Given({FileWith("root/old.sh", "x"), Link("root/l", "new.sh")});
  const auto root = OpenDenying("*.sh", Operation::kCreate);
  const Snapshot inside = Inside();
  for (const char* path : {"new.sh", "l"}) {
    EXPECT_REFUSED(root.Replace(path), ErrorCode::kPathDenied);
    EXPECT_REFUSED(root.Append(path, "x"), ErrorCode::kPathDenied);
    EXPECT_REFUSED(root.Open(path, OpenMode::kCreate), ErrorCode::kPathDenied);
  }
  EXPECT_TRUE(Compare(inside, Inside()).empty());
  EXPECT_ALLOWED(ReplaceFile(root, "old.sh", "y"));
  EXPECT_ALLOWED(root.Append("old.sh", "z"));
  EXPECT_EQ(ReadFile(root, "old.sh").value_or("?"), "yz");
}

TEST_P(Operations, WhatMayNotBeWrittenIsNotEmptiedByCreating) {
  Given({FileWith("root/lock", "kept")});
  const auto root = OpenDenying("lock", Operation::kWrite);
  EXPECT_REFUSED(root.Open("lock", OpenMode::kCreate), ErrorCode::kPathDenied);
  EXPECT_EQ(ReadFile(root, "lock").value_or("?"), "kept");
}

TEST_P(Operations, WhatMayNotBeReadIsNotOpenedForBoth) {
  Given({FileWith("root/secret", "s")});
  const auto root = OpenDenying("secret", Operation::kRead);
  EXPECT_REFUSED(root.Open("secret", OpenMode::kReadWrite), ErrorCode::kPathDenied);
  EXPECT_ALLOWED(root.Open("secret", OpenMode::kWrite));
}

TEST_P(Operations, WhatMayNotBeListedIsNotWalked) {
  Given({FileWith("root/private/name", "s"), FileWith("root/open/f", "x")});
  const auto root = OpenDenying("/private", Operation::kList);
  EXPECT_REFUSED(root.List("private"), ErrorCode::kPathDenied);
  std::vector<std::string> seen;
  EXPECT_ALLOWED(root.Walk(".", {}, [&](const confine::WalkEntry& entry) {
    seen.emplace_back(entry.path);
    return confine::WalkStep::kContinue;
  }));
  EXPECT_EQ(seen, (std::vector<std::string>{"open", "open/f", "private"}));
}

}  // namespace
}  // namespace cordon::testing
