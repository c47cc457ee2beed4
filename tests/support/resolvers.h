// Opens roots for tests, with the resolver that the test is about.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "confine/root.h"
#include "policy/deny_list.h"
#include "tests/support/scratch.h"
#include "tests/support/setup.h"
#include "tests/support/snapshot.h"

namespace cordon::testing {

std::string ResolverName(confine::Resolver resolver);

// The default deny rules, compiled once.
std::shared_ptr<const policy::DenyList> DefaultDenyList();

// The options of a profile, with the default deny rules.
confine::RootOptions OptionsOf(policy::Profile profile, confine::Resolver resolver);

Result<confine::Root> OpenRoot(const std::string& directory, const confine::RootOptions& options);

// "allow", or code, violation and rule of the refusal.
std::string Describe(const Error& error);
template <typename T>
std::string Describe(const Result<T>& result) {
  return result ? "allow" : Describe(result.error());
}

// The whole file, or the refusal.
Result<std::string> ReadFile(const confine::Root& root, std::string_view path);
// Replaces the file's content and commits.
Status ReplaceFile(const confine::Root& root, std::string_view path, std::string_view content);

// A test with a scratch directory, run once for each resolver.
class PerResolver : public ::testing::TestWithParam<confine::Resolver> {
 protected:
  // `root/`, `outside/secret` and `steps`; ${SCRATCH} and ${ROOT} are known there.
  void Given(const std::vector<SetupStep>& steps);
  confine::Root Open(policy::Profile profile = policy::Profile::kStrict,
                     std::string_view directory = "root") const;
  confine::Root OpenWith(confine::RootOptions options, std::string_view directory = "root") const;
  Snapshot Outside() const { return Take(scratch_.descriptor(), "root"); }
  Snapshot Inside() const { return Take(scratch_.At("root")); }

  Scratch scratch_;
};

// Instantiates a suite for both resolvers.
#define CORDON_PER_RESOLVER(suite)                                                                 \
  INSTANTIATE_TEST_SUITE_P(Boundary, suite,                                                        \
                           ::testing::Values(::cordon::confine::Resolver::kOpenat2,                \
                                             ::cordon::confine::Resolver::kWalk),                  \
                           [](const ::testing::TestParamInfo<::cordon::confine::Resolver>& info) { \
                             return ::cordon::testing::ResolverName(info.param);                   \
                           })

// What the test expects of a result, with the refusal in the message.
#define EXPECT_ALLOWED(expression) EXPECT_EQ(::cordon::testing::Describe(expression), "allow")
#define EXPECT_REFUSED(expression, expected)                                   \
  do {                                                                         \
    const auto cordon_refused = (expression);                                  \
    ASSERT_FALSE(cordon_refused.has_value()) << #expression << " was allowed"; \
    EXPECT_EQ(cordon_refused.error().code, (expected))                         \
        << ::cordon::testing::Describe(cordon_refused.error());                \
  } while (false)

}  // namespace cordon::testing
