// grep and glob, with several workers, in a tree that does not hold still: what is found
// is inside, and through no link.
#include <gtest/gtest.h>

#include <functional>

#include "search/glob_search.h"
#include "search/grep_search.h"
#include "tests/race/race.h"

namespace cordon::testing {
namespace {

using confine::Root;
using confine::SearchTerms;

SearchTerms TermsFor(confine::SearchReach reach) {
  SearchTerms terms;
  terms.reach = reach;
  terms.workers = 4;
  return terms;
}

// Whatever was not looked into is no harm; a line that is not from inside is.
Attempt GrepTellsOnlyTheInside(const Root& root) {
  search::GrepTerms terms;
  terms.pattern = ".";
  terms.limit = 100'000;
  terms.selection.hidden = search::HiddenEntries::kTake;
  terms.selection.ignore_files = search::IgnoreFiles::kDisregard;
  const auto grep = search::GrepSearch::Make(terms);
  if (!grep) return {false, Describe(grep.error()), {}};
  const auto outcome = root.Search(".", TermsFor(confine::SearchReach::kContents), **grep, nullptr);
  if (!outcome) return {false, {}, Describe(outcome.error())};
  const search::GrepAnswer found = (*grep)->Take();
  std::string escape;
  for (const search::GrepFile& file : found.files) {
    for (const search::ToldLine& line : file.hits.lines) {
      const std::string_view text = file.hits.TextOf(line);
      if (text != "inside") escape = file.path + " told " + std::string(text);
    }
  }
  const bool looked = found.told > 0;
  return {looked, escape, looked ? "" : "nothing found"};
}

Attempt GlobTellsOnlyTheInside(const Root& root) {
  search::GlobTerms terms;
  terms.pattern = "**";
  terms.limit = 100'000;
  const auto glob = search::GlobSearch::Make(terms);
  if (!glob) return {false, Describe(glob.error()), {}};
  const auto outcome = root.Search(".", TermsFor(confine::SearchReach::kNames), **glob, nullptr);
  if (!outcome) return {false, {}, Describe(outcome.error())};
  const search::GlobAnswer found = (*glob)->Take();
  std::string escape;
  for (const search::GlobFound& one : found.found) {
    if (one.path.find("outer") != std::string::npos) escape = "found " + one.path;
  }
  const bool looked = found.matched > 0;
  return {looked, escape, looked ? "" : "nothing found"};
}

// Beside `plain`, which is always there, `d` and what `evil` leads to: as deep, with the
// same names, which alone would not show a difference, and some of its own.
std::vector<SetupStep> Twins(int depth, int width, const std::string& evil) {
  std::vector<SetupStep> steps = {FileWith("root/plain", "inside\n"), Link("root/evil", evil)};
  std::string below;
  for (int level = 0; level < depth; ++level) {
    for (int file = 0; file < width; ++file) {
      // Before and behind "s": a directory is held until what is behind is looked into.
      const std::string name = below + (file % 2 == 0 ? "/f" : "/z") + std::to_string(file);
      steps.push_back(FileWith("root/d" + name, "inside\n"));
      steps.push_back(FileWith("outside/d" + name, "SECRET\n"));
    }
    steps.push_back(FileWith("outside/d" + below + "/outer", "SECRET\n"));
    below += "/s";
  }
  return steps;
}

struct SearchRace {
  std::string name;
  std::vector<SetupStep> setup;
  std::string first, second;  // below root/
  std::function<Attempt(const Root&)> attempt;
};

std::vector<SearchRace> Races() {
  const std::vector<SetupStep> wide = Twins(6, 30, "../outside/d");
  // So many levels that directories are closed meanwhile and found again by their paths.
  const std::vector<SetupStep> deep = Twins(260, 2, "../outside/d");
  std::vector<SearchRace> races = {
      {"grep_wide", wide, "d", "evil", GrepTellsOnlyTheInside},
      {"glob_wide", wide, "d", "evil", GlobTellsOnlyTheInside},
      {"grep_deep", deep, "d", "evil", GrepTellsOnlyTheInside},
      {"glob_deep", deep, "d", "evil", GlobTellsOnlyTheInside},
  };
  races.push_back({"grep_file",
                   {FileWith("root/plain", "inside\n"), FileWith("root/f", "inside\n"),
                    Link("root/evil", "../outside/secret")},
                   "f",
                   "evil",
                   GrepTellsOnlyTheInside});
  races.push_back({"grep_middle", Twins(6, 30, "../../../outside/d/s/s"), "d/s/s", "evil",
                   GrepTellsOnlyTheInside});
  races.push_back({"grep_denied",
                   {FileWith("root/plain", "inside\n"), FileWith("root/d/f", "inside\n"),
                    FileWith("root/.git/f", "SECRET\n"), Link("root/evil", ".git")},
                   "d",
                   "evil",
                   GrepTellsOnlyTheInside});
  return races;
}

using SearchParam = std::tuple<std::size_t, confine::Resolver>;
class SearchRaces : public ::testing::TestWithParam<SearchParam> {};

TEST_P(SearchRaces, NothingOutsideIsTold) {
  const SearchRace race = Races().at(std::get<0>(GetParam()));
  const Scratch scratch;
  ASSERT_EQ(BuildCase(scratch, race.setup), "");
  const auto root =
      OpenRoot(scratch.At("root"), OptionsOf(policy::Profile::kStrict, std::get<1>(GetParam())));
  ASSERT_TRUE(root.has_value()) << Describe(root.error());
  const Tally tally =
      Race({{true, scratch.At("root/" + race.first), scratch.At("root/" + race.second)}},
           RaceSeconds() / 2, [&] { return race.attempt(*root); });
  ExpectHeld(tally);
}

INSTANTIATE_TEST_SUITE_P(Race, SearchRaces,
                         ::testing::Combine(::testing::Range(std::size_t{0}, Races().size()),
                                            ::testing::Values(confine::Resolver::kOpenat2,
                                                              confine::Resolver::kWalk)),
                         [](const ::testing::TestParamInfo<SearchParam>& info) {
                           return ResolverName(std::get<1>(info.param)) + "_" +
                                  Races().at(std::get<0>(info.param)).name;
                         });

}  // namespace
}  // namespace cordon::testing
