// Each operation that makes something at a name which was free when a person saw it.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <functional>

#include "tests/boundary/witness.h"
#include "tests/support/resolvers.h"

namespace cordon::testing {
namespace {

using confine::Expected;
using confine::OpenMode;
using confine::Presence;
using confine::Root;

using Moment = std::function<void()>;

struct Maker {
  std::string name;
  Operation probed;
  std::function<Status(const Root&, const Expected&, const Moment&)> run;
  bool wants_free = false;       // with or without a person: kAlreadyExists
  bool holds_directory = false;  // before the moment
};

Status Replace(const Root& root, const Expected& seen, const Moment& first, const Moment& second) {
  first();
  auto replacement = root.Replace("d/new", seen);
  if (!replacement) return std::move(replacement.error());
  if (Status written = replacement->Write("mine"); !written) return written;
  second();
  return replacement->Commit();
}

auto Opening(OpenMode mode) {
  return [mode](const Root& root, const Expected& seen, const Moment& moment) {
    moment();
    auto file = root.Open("d/new", mode, seen);
    if (!file) return Status(std::move(file.error()));
    EXPECT_EQ(file->path(), "d/new");
    return Status();
  };
}

std::vector<Maker> Makers() {
  const Moment nothing = [] {};
  return {
      {"create", Operation::kCreate, Opening(OpenMode::kCreate)},
      {"create_exclusive", Operation::kCreate, Opening(OpenMode::kCreateExclusive), true},
      {"replace", Operation::kCreate,
       [=](const Root& root, const Expected& seen, const Moment& moment) {
         return Replace(root, seen, moment, nothing);
       }},
      {"commit", Operation::kCreate,
       [=](const Root& root, const Expected& seen, const Moment& moment) {
         return Replace(root, seen, nothing, moment);
       },
       false, true},
      {"append", Operation::kCreate,
       [](const Root& root, const Expected& seen, const Moment& moment) {
         moment();
         return root.Append("d/new", "mine", seen);
       }},
      {"mkdir", Operation::kMkdir,
       [](const Root& root, const Expected& seen, const Moment& moment) {
         moment();
         return root.Mkdir("d/new", 0777, seen);
       },
       true},
      {"symlink", Operation::kCreate,
       [](const Root& root, const Expected& seen, const Moment& moment) {
         moment();
         return root.Symlink("other", "d/new", seen);
       },
       true},
      {"rename", Operation::kMkdir,
       [](const Root& root, const Expected& seen, const Moment& moment) {
         moment();
         return root.Rename("source", root, "d/new", {}, seen);
       }},
      {"rename_directory", Operation::kMkdir,
       [](const Root& root, const Expected& seen, const Moment& moment) {
         moment();
         return root.Rename("sources", root, "d/new", {}, seen);
       }},
  };
}

enum class Answer { kDone, kStale, kTaken, kRefused };

struct Change {
  std::string name;
  std::function<void(const Scratch&)> run;
  std::function<Answer(const Maker&)> answer;
};

auto MovesHere(const std::string& what) {
  return [what](const Scratch& scratch) {
    ASSERT_EQ(::rename(scratch.At("root/" + what).c_str(), scratch.At("root/d/new").c_str()), 0);
  };
}

std::vector<Change> Changes() {
  const auto done = [](const Maker&) { return Answer::kDone; };
  const auto taken = [](const Maker& maker) {
    return maker.wants_free ? Answer::kTaken : Answer::kStale;
  };
  // A link that leads out is refused as such by whoever follows it.
  const auto refused = [](const Maker&) { return Answer::kRefused; };
  const auto of_parent = [](const Maker& maker) {
    return maker.holds_directory ? Answer::kDone : Answer::kStale;
  };
  return {
      {"nothing", [](const Scratch&) {}, done},
      {"file_came", MovesHere("file"), taken},
      {"empty_file_came", MovesHere("nothing"), taken},
      {"directory_came", MovesHere("directory"), taken},
      {"empty_directory_came", MovesHere("void"), taken},
      {"link_to_file_came", MovesHere("link"), taken},
      {"link_to_nothing_came", MovesHere("dangling"), taken},
      {"link_out_came", MovesHere("out"), refused},
      {"link_to_nothing_out_came", MovesHere("newout"), refused},
      {"parent_swapped",
       [](const Scratch& scratch) {
         ASSERT_EQ(::renameat2(AT_FDCWD, scratch.At("root/d").c_str(), AT_FDCWD,
                               scratch.At("root/evil").c_str(), RENAME_EXCHANGE),
                   0);
       },
       of_parent},
      {"parent_moved",
       [](const Scratch& scratch) {
         ASSERT_EQ(::rename(scratch.At("root/d").c_str(), scratch.At("root/away").c_str()), 0);
       },
       of_parent},
      {"parent_is_link",
       [](const Scratch& scratch) {
         ASSERT_EQ(::renameat2(AT_FDCWD, scratch.At("root/d").c_str(), AT_FDCWD,
                               scratch.At("root/evillink").c_str(), RENAME_EXCHANGE),
                   0);
       },
       of_parent},
  };
}

using Param = std::tuple<std::size_t, std::size_t, confine::Resolver>;

class ExpectedFree : public ::testing::TestWithParam<Param> {};

TEST_P(ExpectedFree, TakesAFreeNameOrNone) {
  const Maker maker = Makers().at(std::get<0>(GetParam()));
  const Change change = Changes().at(std::get<1>(GetParam()));
  const Scratch scratch;
  ASSERT_EQ(BuildCase(scratch, {Dir("root/d"), FileWith("root/d/other", "other"), Dir("root/evil"),
                                FileWith("root/evil/other", "other"), Link("root/evillink", "evil"),
                                FileWith("root/source", "source"), FileWith("root/file", "came"),
                                FileWith("root/nothing", ""), FileWith("root/sources/x", "x"),
                                FileWith("root/directory/x", "x"), Dir("root/void"),
                                Link("root/link", "other"), Link("root/dangling", "elsewhere"),
                                Link("root/out", "../../outside/secret"),
                                Link("root/newout", "../../outside/new")}),
            "");
  auto root =
      OpenRoot(scratch.At("root"), OptionsOf(policy::Profile::kStrict, std::get<2>(GetParam())));
  ASSERT_TRUE(root.has_value());
  const auto probed = root->Probe("d/new", maker.probed);
  ASSERT_TRUE(probed.has_value()) << Describe(probed.error());
  EXPECT_EQ(probed->AsExpected().presence, Presence::kAbsent);
  Witness before;
  const Status done = maker.run(*root, probed->AsExpected(), [&] {
    change.run(scratch);
    before = Witness::Of(scratch);
  });
  const Witness after = Witness::Of(scratch);
  EXPECT_EQ(after.temporaries, "");
  const Answer answer = change.answer(maker);
  if (answer == Answer::kDone) {
    EXPECT_ALLOWED(done);
    return;
  }
  EXPECT_EQ(before.Strangers(after, 0, ""), "");
  ASSERT_FALSE(done.has_value());
  const std::string said = Describe(done.error());
  if (answer == Answer::kStale) {
    EXPECT_EQ(said, "STALE_FILE race (expected)");
  }
  if (answer == Answer::kTaken) {
    EXPECT_EQ(said, "ALREADY_EXISTS");
  }
  EXPECT_FALSE(done.error().detail.empty());
}

INSTANTIATE_TEST_SUITE_P(Expected, ExpectedFree,
                         ::testing::Combine(::testing::Range(std::size_t{0}, Makers().size()),
                                            ::testing::Range(std::size_t{0}, Changes().size()),
                                            ::testing::Values(confine::Resolver::kOpenat2,
                                                              confine::Resolver::kWalk)),
                         [](const ::testing::TestParamInfo<Param>& info) {
                           return Makers().at(std::get<0>(info.param)).name + "_after_" +
                                  Changes().at(std::get<1>(info.param)).name + "_by_" +
                                  ResolverName(std::get<2>(info.param));
                         });

}  // namespace
}  // namespace cordon::testing
