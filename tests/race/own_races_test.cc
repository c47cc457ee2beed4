// Races on the operations that the corpus does not race.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <functional>

#include "tests/race/race.h"

namespace cordon::testing {
namespace {

using confine::OpenMode;
using confine::Root;

// One race: a tree, what is swapped, and the operation; the outside never changes.
struct OwnRace {
  std::string name;
  std::vector<SetupStep> setup;
  std::vector<std::pair<std::string, std::string>> swaps;  // below root/
  std::function<Attempt(const Root&)> attempt;
};

// `d` has what `outside` has, and `evil` leads there: the swap hides the difference.
std::vector<SetupStep> Twins() {
  return {FileWith("root/d/f", "inside"),
          FileWith("outside/f", "SECRET"),
          FileWith("root/d/g", "inside"),
          FileWith("outside/g", "SECRET"),
          Dir("root/d/sub"),
          Dir("outside/sub"),
          FileWith("root/d/sub/h", "in"),
          FileWith("outside/sub/h", "SECRET"),
          Link("root/evil", "../outside"),
          FileWith("root/plain", "inside")};
}

const std::vector<std::pair<std::string, std::string>> kSwapTwins = {{"d", "evil"}};

Attempt ListNeverShowsSecret(const Root& root) {
  auto entries = root.List("d");
  if (!entries) return {false, {}, Describe(entries.error())};
  for (const auto& entry : *entries) {
    if (entry.name == "secret") return {true, "listed the outside", {}};
  }
  return {true, {}, {}};
}

Attempt WalkNeverShowsSecret(const Root& root) {
  std::string escape;
  const Status walked = root.Walk(".", {}, [&](const confine::WalkEntry& entry) {
    if (entry.path.ends_with("secret")) escape = "walked to " + std::string(entry.path);
    return confine::WalkStep::kContinue;
  });
  Attempt attempt = FromStatus(walked);
  attempt.escape = escape;
  return attempt;
}

Attempt StatNeverShowsOutside(const Root& root) {
  auto stat = root.Stat("d/f", confine::FinalSymlink::kFollow);
  if (!stat) return {false, {}, Describe(stat.error())};
  return {true, stat->size == 6 && stat->mode == 0600 ? "saw the outside file's mode" : "", {}};
}

Attempt MkdirThenRemove(const Root& root) {
  const Status made = root.Mkdir("d/new");
  if (const Status removed = root.Remove("d/new"); !made && !removed) return FromStatus(made);
  return {true, {}, {}};
}

Attempt RemoveThenRestore(const Root& root) {
  const Status removed = root.Remove("d/f");
  const Status restored = ReplaceFile(root, "d/f", "inside");
  return FromStatus(removed ? removed : restored);
}

Attempt RenameBackAndForth(const Root& root) {
  const Status there = root.Rename("d/f", root, "d/moved");
  const Status back = root.Rename("d/moved", root, "d/f");
  return FromStatus(there ? there : back);
}

Attempt RenameIntoAndOut(const Root& root) {
  const Status there = root.Rename("plain", root, "d/plain");
  const Status back = root.Rename("d/plain", root, "plain");
  return FromStatus(there ? there : back);
}

Attempt RemoveAllThenRestore(const Root& root) {
  // A swap cut in half leaves the link in the tree, where it is rightly removed.
  const std::string evil = root.real_path() + "/evil";
  struct stat entry = {};
  if (::lstat(evil.c_str(), &entry) != 0 || !S_ISLNK(entry.st_mode)) {
    (void)root.RemoveAll("evil").has_value();
    if (::symlink("../outside", evil.c_str()) != 0) return {false, {}, "not restored"};
  }
  if (!root.MkdirAll("tree/x")) return {false, {}, "not restored"};
  (void)ReplaceFile(root, "tree/x/f", "inside").has_value();
  return FromStatus(root.RemoveAll("tree"));
}

Attempt MkdirAllDeep(const Root& root) {
  const Status made = root.MkdirAll("d/p/q/r");
  (void)root.RemoveAll("d/p").has_value();
  return FromStatus(made);
}

Attempt CreateExclusively(const Root& root) {
  auto file = root.Open("d/once", OpenMode::kCreateExclusive);
  (void)root.Remove("d/once").has_value();
  return file ? Attempt{true, {}, {}} : Attempt{false, {}, Describe(file.error())};
}

Attempt SymlinkThenRead(const Root& root) {
  const Status made = root.Symlink("f", "d/link");
  (void)root.Remove("d/link").has_value();
  return FromStatus(made);
}

Attempt ReadLinkNeverShowsOutside(const Root& root) {
  auto text = root.ReadLink("l");
  if (!text) return {false, {}, Describe(text.error())};
  return {true, *text == "a/f" ? "" : "showed " + *text, {}};
}

std::vector<OwnRace> Races() {
  const auto read = [](const char* path) {
    return [path](const Root& root) { return FromRead(ReadFile(root, path)); };
  };
  std::vector<OwnRace> races = {
      {"list", Twins(), kSwapTwins, ListNeverShowsSecret},
      {"walk", Twins(), kSwapTwins, WalkNeverShowsSecret},
      {"stat", Twins(), kSwapTwins, StatNeverShowsOutside},
      {"replace", Twins(), kSwapTwins,
       [](const Root& root) { return FromStatus(ReplaceFile(root, "d/f", "inside")); }},
      {"append", Twins(), kSwapTwins,
       [](const Root& root) { return FromStatus(root.Append("d/g", "")); }},
      {"write", Twins(), kSwapTwins,
       [](const Root& root) {
         auto file = root.Open("d/f", OpenMode::kReadWrite);
         if (!file) return FromStatus(std::move(file.error()));
         return FromRead(file->ReadAll(100));
       }},
      {"mkdir", Twins(), kSwapTwins, MkdirThenRemove},
      {"mkdir_all", Twins(), kSwapTwins, MkdirAllDeep},
      {"remove", Twins(), kSwapTwins, RemoveThenRestore},
      {"rename_inside", Twins(), kSwapTwins, RenameBackAndForth},
      {"rename_across", Twins(), kSwapTwins, RenameIntoAndOut},
      {"create_exclusive", Twins(), kSwapTwins, CreateExclusively},
      {"symlink", Twins(), kSwapTwins, SymlinkThenRead},
      {"dotdot", Twins(), kSwapTwins, read("d/sub/../../d/f")},
  };
  races.push_back({"remove_all",
                   {FileWith("root/tree/x/f", "inside"), FileWith("outside/f", "SECRET"),
                    Link("root/evil", "../outside")},
                   {{"tree/x", "evil"}},
                   RemoveAllThenRestore});
  races.push_back({"git_directory",
                   {FileWith("root/d/f", "inside"), FileWith("root/.git/f", "SECRET"),
                    Link("root/evil", ".git")},
                   {{"d", "evil"}},
                   read("d/f")});
  races.push_back({"chain",
                   {FileWith("root/a/f", "inside"), Link("root/l", "m"), Link("root/m", "n"),
                    Link("root/n", "a/f"), Link("root/evil", "../outside/secret")},
                   {{"m", "evil"}, {"n", "evil"}},
                   read("l")});
  races.push_back({"link_for_denied_link",
                   {FileWith("root/a/f", "inside"), Link("root/l", "a/f"),
                    FileWith("root/.env.local", "SECRET"), Link("root/evil", ".env.local")},
                   {{"l", "evil"}},
                   read("l")});
  races.push_back({"readlink",
                   {FileWith("root/a/f", "inside"), Link("root/l", "a/f"),
                    Link("root/evil", "../outside/secret")},
                   {{"l", "evil"}},
                   ReadLinkNeverShowsOutside});
  races.push_back({"file_for_directory",
                   {FileWith("root/a/f", "inside"), FileWith("root/b", "other")},
                   {{"a", "b"}},
                   read("a/f")});
  races.push_back({"hard_link",
                   {FileWith("root/f", "inside"), {"hardlink", "root/h", "outside/secret", ""}},
                   {{"f", "h"}},
                   read("f")});
  return races;
}

using OwnParam = std::tuple<std::size_t, confine::Resolver>;
class OwnRaces : public ::testing::TestWithParam<OwnParam> {};

TEST_P(OwnRaces, NothingEscapes) {
  const OwnRace race = Races().at(std::get<0>(GetParam()));
  const Scratch scratch;
  ASSERT_EQ(BuildCase(scratch, race.setup), "");
  ::chmod(scratch.At("outside/f").c_str(), 0600);
  auto root =
      OpenRoot(scratch.At("root"), OptionsOf(policy::Profile::kStrict, std::get<1>(GetParam())));
  ASSERT_TRUE(root.has_value()) << Describe(root.error());
  std::vector<Contested> contested;
  for (const auto& [first, second] : race.swaps) {
    contested.push_back({true, scratch.At("root/" + first), scratch.At("root/" + second)});
  }
  const Snapshot outside = Take(scratch.descriptor(), "root");
  const Tally tally = Race(contested, RaceSeconds() / 2, [&] { return race.attempt(*root); });
  ExpectHeld(tally);
  const Difference changed = Compare(outside, Take(scratch.descriptor(), "root"));
  EXPECT_TRUE(changed.empty()) << changed.Text();
}

INSTANTIATE_TEST_SUITE_P(Race, OwnRaces,
                         ::testing::Combine(::testing::Range(std::size_t{0}, Races().size()),
                                            ::testing::Values(confine::Resolver::kOpenat2,
                                                              confine::Resolver::kWalk)),
                         [](const ::testing::TestParamInfo<OwnParam>& info) {
                           return ResolverName(std::get<1>(info.param)) + "_" +
                                  Races().at(std::get<0>(info.param)).name;
                         });

}  // namespace
}  // namespace cordon::testing
