// Each operation on something a person saw, after its name was given to something else.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdio.h>
#include <unistd.h>

#include <fstream>
#include <functional>

#include "tests/boundary/witness.h"
#include "tests/support/resolvers.h"

namespace cordon::testing {
namespace {

using confine::Expected;
using confine::FinalSymlink;
using confine::OpenMode;
using confine::Root;

using Moment = std::function<void()>;  // when the attacker strikes

struct Act {
  std::string name;
  std::string target;  // below d/
  Operation probed;
  // Calls the moment once: before it begins, or in its middle.
  std::function<Status(const Root&, const std::string&, Expected, const Moment&)> run;
  std::string made = {};          // path that may appear
  bool compares_content = false;  // "approved" was shown
  bool holds_directory = false;   // before the moment
};

template <typename T>
Status AsStatus(const Result<T>& result) {
  return result ? Status() : Status(result.error());
}

std::function<Status(const Root&, const std::string&, Expected, const Moment&)> After(
    const std::function<Status(const Root&, const std::string&, const Expected&)>& act) {
  return [act](const Root& root, const std::string& path, const Expected& expected,
               const Moment& moment) {
    moment();
    return act(root, path, expected);
  };
}

enum class Content { kIgnored, kCompared };
enum class Strike { kBeforeReplace, kBeforeCommit };

auto Replacing(Strike strike, Content content) {
  return [=](const Root& root, const std::string& path, Expected expected, const Moment& moment) {
    if (content == Content::kCompared) expected.content = Sha256("approved");
    if (strike == Strike::kBeforeReplace) moment();
    auto replacement = root.Replace(path, expected);
    if (!replacement) return Status(replacement.error());
    if (Status written = replacement->Write("new content"); !written) return written;
    if (strike == Strike::kBeforeCommit) moment();
    return replacement->Commit();
  };
}

auto Opening(OpenMode mode) {
  return After([mode](const Root& root, const std::string& path, const Expected& expected) {
    return AsStatus(root.Open(path, mode, expected));
  });
}

std::vector<Act> Acts() {
  const auto remove = After([](const Root& root, const std::string& path, const Expected& seen) {
    return root.Remove(path, seen);
  });
  const auto remove_all = After([](const Root& root, const std::string& path,
                                   const Expected& seen) { return root.RemoveAll(path, seen); });
  const auto rename = After([](const Root& root, const std::string& path, const Expected& seen) {
    Expected free;
    free.presence = confine::Presence::kAbsent;
    return root.Rename(path, root, "d/moved", seen, free);
  });
  const auto stat = After([](const Root& root, const std::string& path, const Expected& seen) {
    return AsStatus(root.Stat(path, FinalSymlink::kFollow, seen));
  });
  return {
      {"read", "f", Operation::kRead, Opening(OpenMode::kRead)},
      {"write", "f", Operation::kWrite, Opening(OpenMode::kWrite)},
      {"read_write", "f", Operation::kWrite, Opening(OpenMode::kReadWrite)},
      {"create", "f", Operation::kCreate, Opening(OpenMode::kCreate)},
      {"stat", "f", Operation::kStat, stat},
      {"stat_itself", "l", Operation::kDelete,
       After([](const Root& root, const std::string& path, const Expected& seen) {
         return AsStatus(root.Stat(path, FinalSymlink::kNoFollow, seen));
       })},
      {"append", "f", Operation::kWrite,
       After([](const Root& root, const std::string& path, const Expected& seen) {
         return root.Append(path, " more", seen);
       })},
      {"replace", "f", Operation::kWrite, Replacing(Strike::kBeforeReplace, Content::kIgnored)},
      {"replace_content",
       "f",
       Operation::kCreate,
       Replacing(Strike::kBeforeReplace, Content::kCompared),
       {},
       true},
      {"commit",
       "f",
       Operation::kCreate,
       Replacing(Strike::kBeforeCommit, Content::kIgnored),
       {},
       false,
       true},
      {"commit_content",
       "f",
       Operation::kWrite,
       Replacing(Strike::kBeforeCommit, Content::kCompared),
       {},
       true,
       true},
      {"remove", "f", Operation::kDelete, remove},
      {"remove_content", "f", Operation::kDelete,
       After([](const Root& root, const std::string& path, Expected seen) {
         seen.content = Sha256("approved");
         return root.Remove(path, seen);
       }),
       "", true},
      {"remove_link", "l", Operation::kDelete, remove},
      {"remove_empty", "empty", Operation::kDelete, remove},
      {"remove_all", "sub", Operation::kDelete, remove_all},
      {"remove_all_file", "f", Operation::kDelete, remove_all},
      {"rename", "f", Operation::kRename, rename, "root/d/moved"},
      {"rename_link", "l", Operation::kRename, rename, "root/d/moved"},
      {"rename_directory", "sub", Operation::kRename, rename, "root/d/moved"},
      {"rename_unseen", "f", Operation::kRename,
       After([](const Root& root, const std::string& path, const Expected& seen) {
         return root.Rename(path, root, "d/moved", seen);
       }),
       "root/d/moved"},
      {"list", "sub", Operation::kList,
       After([](const Root& root, const std::string& path, const Expected& seen) {
         return AsStatus(root.List(path, 100, seen));
       })},
      {"walk", "sub", Operation::kList,
       After([](const Root& root, const std::string& path, const Expected& seen) {
         return root.Walk(
             path, {}, [](const auto&) { return confine::WalkStep::kContinue; }, seen);
       })},
      {"subroot", "sub", Operation::kList,
       After([](const Root& root, const std::string& path, const Expected& seen) {
         return AsStatus(root.Subroot(path, root.options(), seen));
       })},
      {"readlink", "l", Operation::kDelete,
       After([](const Root& root, const std::string& path, const Expected& seen) {
         return AsStatus(root.ReadLink(path, seen));
       })},
  };
}

// Those that follow a link and act on what it leads to, under whatever name.
bool IsByObject(const Act& act) {
  for (const char* name :
       {"read", "write", "read_write", "create", "stat", "append", "list", "walk", "subroot"}) {
    if (act.name == name) return true;
  }
  return false;
}

enum class Answer { kDone, kStale, kRefused };

struct Swap {
  std::string name;
  std::function<void(const Scratch&, const std::string& target)> run;
  std::function<Answer(const Act&)> answer;
};

void Exchange(const std::string& first, const std::string& second) {
  ASSERT_EQ(::renameat2(AT_FDCWD, first.c_str(), AT_FDCWD, second.c_str(), RENAME_EXCHANGE), 0);
}

auto ExchangeWith(const std::string& other) {
  return [other](const Scratch& scratch, const std::string& target) {
    Exchange(scratch.At("root/d/" + target), scratch.At("root/d/" + other));
  };
}

std::vector<Swap> Swaps() {
  const auto always = [](Answer answer) { return [answer](const Act&) { return answer; }; };
  const auto with_parent = [](const Act& act) {
    return act.holds_directory ? Answer::kDone : Answer::kStale;
  };
  return {
      {"same", [](const Scratch&, const std::string&) {}, always(Answer::kDone)},
      {"other_file", ExchangeWith("other"), always(Answer::kStale)},
      {"other_directory", ExchangeWith("otherdir"), always(Answer::kStale)},
      {"link_to_other", ExchangeWith("inlink"), always(Answer::kStale)},
      {"link_to_other_directory", ExchangeWith("dirlink"), always(Answer::kStale)},
      {"loop_of_links", ExchangeWith("loop"), always(Answer::kStale)},
      // The object has another name, and its own leads there.
      {"link_to_it", ExchangeWith("way"),
       [](const Act& act) { return IsByObject(act) ? Answer::kDone : Answer::kStale; }},
      {"link_out", ExchangeWith("outlink"), always(Answer::kRefused)},
      {"fifo", ExchangeWith("fifo"), always(Answer::kStale)},
      // Of the same kind, content and text, but not it.
      {"twin",
       [](const Scratch& scratch, const std::string& target) {
         ExchangeWith("twin_" + target)(scratch, target);
       },
       always(Answer::kStale)},
      {"removed",
       [](const Scratch& scratch, const std::string& target) {
         ASSERT_EQ(::rename(scratch.At("root/d/" + target).c_str(), scratch.At("gone").c_str()), 0);
       },
       always(Answer::kStale)},
      {"parent",
       [](const Scratch& scratch, const std::string&) {
         Exchange(scratch.At("root/d"), scratch.At("root/evil"));
       },
       with_parent},
      {"parent_by_link",
       [](const Scratch& scratch, const std::string&) {
         Exchange(scratch.At("root/d"), scratch.At("root/evillink"));
       },
       with_parent},
      {"parent_gone",
       [](const Scratch& scratch, const std::string&) {
         ASSERT_EQ(::rename(scratch.At("root/d").c_str(), scratch.At("root/away").c_str()), 0);
       },
       with_parent},
      {"written_to",
       [](const Scratch& scratch, const std::string& target) {
         if (target == "f") std::ofstream(scratch.At("root/d/f")) << "APPROVED";
       },
       [](const Act& act) { return act.compares_content ? Answer::kStale : Answer::kDone; }},
      {"longer",
       [](const Scratch& scratch, const std::string& target) {
         if (target == "f") std::ofstream(scratch.At("root/d/f"), std::ios::app) << "!";
       },
       [](const Act& act) { return act.compares_content ? Answer::kStale : Answer::kDone; }},
  };
}

using Param = std::tuple<std::size_t, std::size_t, confine::Resolver>;

class ExpectedMatrix : public ::testing::TestWithParam<Param> {};

std::vector<SetupStep> Tree() {
  std::vector<SetupStep> steps = {
      FileWith("root/d/other", "other"), FileWith("root/d/otherdir/child", "other"),
      Link("root/d/inlink", "other"),    Link("root/d/dirlink", "otherdir"),
      Link("root/d/loop", "ring"),       Link("root/d/ring", "ring"),
      Link("root/d/way", "way"),         Link("root/d/outlink", "../../outside/secret"),
      {"fifo", "root/d/fifo", "", ""},   Link("root/evillink", "evil")};
  for (const std::string top : {"root/d/", "root/d/twin_", "root/evil/"}) {
    steps.push_back(FileWith(top + "f", "approved"));
    steps.push_back(FileWith(top + "sub/child", "approved"));
    steps.push_back(Dir(top + "empty"));
    steps.push_back(Link(top + "l", "f"));
  }
  return steps;
}

TEST_P(ExpectedMatrix, ActsOnWhatWasSeenOrOnNothing) {
  const Act act = Acts().at(std::get<0>(GetParam()));
  const Swap swap = Swaps().at(std::get<1>(GetParam()));
  const Scratch scratch;
  ASSERT_EQ(BuildCase(scratch, Tree()), "");
  auto root =
      OpenRoot(scratch.At("root"), OptionsOf(policy::Profile::kStrict, std::get<2>(GetParam())));
  ASSERT_TRUE(root.has_value());
  const std::string path = "d/" + act.target;
  const auto probed = root->Probe(path, act.probed);
  ASSERT_TRUE(probed.has_value()) << Describe(probed.error());
  Witness before;
  const Status done = act.run(*root, path, probed->AsExpected(), [&] {
    swap.run(scratch, act.target);
    before = Witness::Of(scratch);
  });
  const Witness after = Witness::Of(scratch);
  EXPECT_EQ(before.Strangers(after, probed->stat.identity.inode, act.made), "");
  EXPECT_EQ(after.temporaries, "");
  switch (swap.answer(act)) {
    case Answer::kDone: EXPECT_ALLOWED(done); return;
    case Answer::kStale:
      ASSERT_FALSE(done.has_value());
      EXPECT_EQ(Describe(done.error()), "STALE_FILE race (expected)");
      EXPECT_FALSE(done.error().detail.empty());
      break;
    case Answer::kRefused: ASSERT_FALSE(done.has_value()); break;
  }
  EXPECT_EQ(before.entries.at(before.PathOf(probed->stat.identity.inode)),
            after.entries.at(after.PathOf(probed->stat.identity.inode)))
      << "the object itself changed";
}

INSTANTIATE_TEST_SUITE_P(Expected, ExpectedMatrix,
                         ::testing::Combine(::testing::Range(std::size_t{0}, Acts().size()),
                                            ::testing::Range(std::size_t{0}, Swaps().size()),
                                            ::testing::Values(confine::Resolver::kOpenat2,
                                                              confine::Resolver::kWalk)),
                         [](const ::testing::TestParamInfo<Param>& info) {
                           return Acts().at(std::get<0>(info.param)).name + "_after_" +
                                  Swaps().at(std::get<1>(info.param)).name + "_by_" +
                                  ResolverName(std::get<2>(info.param));
                         });

}  // namespace
}  // namespace cordon::testing
