// The races of race-cases.json, each under both resolvers.
#include "tests/race/race.h"

#include <gtest/gtest.h>

#include "tests/support/corpus.h"

namespace cordon::testing {
namespace {

using RaceParam = std::tuple<std::size_t, confine::Resolver>;

class RaceCorpus : public ::testing::TestWithParam<RaceParam> {};

Attempt Act(const confine::Root& root, const RaceCase& race) {
  if (race.action == "read") return FromRead(ReadFile(root, race.path));
  if (race.action == "create") {
    auto file = root.Open(race.path, confine::OpenMode::kCreate);
    if (!file) return FromStatus(std::move(file.error()));
    return FromStatus(file->Write("inside"));
  }
  return {false, "unknown action " + race.action, {}};
}

TEST_P(RaceCorpus, NothingEscapes) {
  const RaceCase& race = RaceCases().at(std::get<0>(GetParam()));
  const Scratch scratch;
  std::vector<SetupStep> steps = race.setup;
  for (SetupStep& step : steps) {
    step.target = Substitute(step.target, scratch.path(), scratch.At("root"));
  }
  ASSERT_EQ(BuildCase(scratch, steps), "");
  auto root =
      OpenRoot(scratch.At("root"), OptionsOf(policy::Profile::kStrict, std::get<1>(GetParam())));
  ASSERT_TRUE(root.has_value()) << Describe(root.error());
  const Snapshot outside = Take(scratch.descriptor(), "root");
  const Tally tally = Race({{race.swap, scratch.At(race.first), scratch.At(race.second)}},
                           RaceSeconds(), [&] { return Act(*root, race); });
  ExpectHeld(tally);
  const Difference changed = Compare(outside, Take(scratch.descriptor(), "root"));
  EXPECT_TRUE(changed.empty()) << changed.Text();
}

INSTANTIATE_TEST_SUITE_P(Race, RaceCorpus,
                         ::testing::Combine(::testing::Range(std::size_t{0}, RaceCases().size()),
                                            ::testing::Values(confine::Resolver::kOpenat2,
                                                              confine::Resolver::kWalk)),
                         [](const ::testing::TestParamInfo<RaceParam>& info) {
                           return ResolverName(std::get<1>(info.param)) + "_" +
                                  TestName(RaceCases().at(std::get<0>(info.param)).id);
                         });

TEST(RaceCorpusCount, NoCaseIsLost) { EXPECT_EQ(RaceCases().size(), 7u); }

}  // namespace
}  // namespace cordon::testing
