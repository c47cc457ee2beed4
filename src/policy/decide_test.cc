#include "policy/decide.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

namespace cordon::policy {
namespace {

// One line for each place: what each profile says, in the order strict,
// interactive, sandboxed, compat. 'a' allow, '?' ask, 'd' deny, 'r' allow what
// leaves everything as it was and deny the rest.
const std::map<std::pair<Zone, Subject>, std::pair<std::string, std::string>> kTable{
    {{Zone::kWorkspace, Subject::kAgent}, {"aaaa", "boundary"}},
    {{Zone::kWorkspace, Subject::kHost}, {"aaaa", "boundary"}},
    {{Zone::kReadOnlyRoot, Subject::kAgent}, {"rrrr", "read-only-root"}},
    {{Zone::kReadOnlyRoot, Subject::kHost}, {"rrrr", "read-only-root"}},
    {{Zone::kDataDirectory, Subject::kAgent}, {"ddda", "data-dir"}},
    {{Zone::kDataDirectory, Subject::kHost}, {"aaaa", "data-dir"}},
    {{Zone::kTemporary, Subject::kAgent}, {"ddda", "tmp"}},
    {{Zone::kTemporary, Subject::kHost}, {"ddda", "tmp"}},
    {{Zone::kOutside, Subject::kAgent}, {"d?dd", "boundary"}},
    {{Zone::kOutside, Subject::kHost}, {"d?dd", "boundary"}},
};
constexpr Profile kProfiles[] = {Profile::kStrict, Profile::kInteractive, Profile::kSandboxed,
                                 Profile::kCompat};

bool Reads(Operation operation) {
  return operation == Operation::kRead || operation == Operation::kList ||
         operation == Operation::kStat;
}

Verdict Expected(char letter, Operation operation) {
  switch (letter) {
    case 'a': return Verdict::kAllow;
    case '?': return Verdict::kAsk;
    case 'r': return Reads(operation) ? Verdict::kAllow : Verdict::kDeny;
    default: return Verdict::kDeny;
  }
}

DenyList Rules() {
  DenyRule secret;
  secret.pattern = "secret";
  secret.operations = OperationSet().set(static_cast<std::size_t>(Operation::kRead));
  auto list = DenyList::Compile({secret});
  EXPECT_TRUE(list);
  return std::move(*list);
}

TEST(DecideTest, EveryCombination) {
  const DenyList deny = Rules();
  int combinations = 0;
  for (const auto& [place, answer] : kTable) {
    for (int p = 0; p < 4; ++p) {
      for (int o = 0; o < 8; ++o) {
        const auto operation = static_cast<Operation>(o);
        for (const bool secret : {false, true}) {
          const Resource resource{place.first, secret ? "/a/secret/b" : "/a/public/b"};
          const Decision decision = Decide(kProfiles[p], deny, place.second, operation, resource);
          const bool covered =
              secret && (operation == Operation::kRead || operation == Operation::kRename);
          const std::string where = answer.second + " profile " + std::to_string(p) + " " +
                                    std::string(OperationName(operation));
          if (covered) {
            EXPECT_EQ(decision.verdict, Verdict::kDeny) << where;
            EXPECT_EQ(decision.rule, "deny-list") << where;
            ASSERT_NE(decision.deny_rule, nullptr) << where;
            EXPECT_EQ(decision.deny_rule->pattern, "secret");
          } else {
            EXPECT_EQ(decision.verdict, Expected(answer.first[p], operation)) << where;
            EXPECT_EQ(decision.rule, answer.second) << where;
            EXPECT_EQ(decision.deny_rule, nullptr) << where;
          }
          ++combinations;
        }
      }
    }
  }
  EXPECT_EQ(combinations, 5 * 2 * 4 * 8 * 2);
}

TEST(DecideTest, WhatDependsOnTheFileSystemIsNotDecidedHere) {
  const DenyList deny = Rules();
  const Decision decision = Decide(Profile::kStrict, deny, Subject::kAgent, Operation::kRead,
                                   {Zone::kWorkspace, "SECRET"});
  EXPECT_EQ(decision.verdict, Verdict::kAllow);
}

TEST(DecideTest, WhatIsNeitherKnownPlaceNorProfileIsRefused) {
  const DenyList deny = Rules();
  EXPECT_EQ(Decide(Profile::kCompat, deny, Subject::kAgent, Operation::kRead,
                   {static_cast<Zone>(99), "x"})
                .verdict,
            Verdict::kDeny);
  EXPECT_EQ(Decide(static_cast<Profile>(99), deny, Subject::kAgent, Operation::kRead,
                   {Zone::kOutside, "x"})
                .verdict,
            Verdict::kDeny);
}

}  // namespace
}  // namespace cordon::policy
