// Root::Search: what is seen and read is what Walk shows and Open opens, and no more.
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>

#include "confine/search_visitor.h"
#include "tests/support/resolvers.h"

namespace cordon::testing {
namespace {

using confine::SearchChoice;
using confine::SearchDirectory;
using confine::SearchEntry;
using confine::SearchNote;
using Names = std::vector<std::string>;

std::string Joined(const SearchDirectory& directory, const SearchEntry& entry) {
  const std::string path(directory.path());
  return (path.empty() ? path : path + "/") + std::string(entry.name);
}

// Takes everything and keeps what it read, or why not.
class Everything : public confine::SearchVisitor {
 public:
  std::shared_ptr<const SearchNote> PassThrough(const SearchDirectory& directory,
                                                std::shared_ptr<const SearchNote>) override {
    above.emplace_back(directory.path());
    return nullptr;
  }
  std::shared_ptr<const SearchNote> Enter(std::size_t, const SearchDirectory& directory,
                                          std::shared_ptr<const SearchNote>,
                                          std::span<SearchEntry> entries) override {
    const std::lock_guard lock(mutex_);
    for (SearchEntry& entry : entries) {
      entry.choice = SearchChoice::kTake;
      seen.push_back(Joined(directory, entry));
    }
    if (directory.is_repository()) repositories.emplace_back(directory.path());
    if (stop_at_once) stop_at_once->request_stop();
    return nullptr;
  }
  void Visit(std::size_t, const SearchDirectory& directory, const SearchEntry& entry) override {
    std::string text = Joined(directory, entry) + "=";
    const auto file = directory.Open(entry.name);
    if (file) {
      char buffer[64];
      const auto count = file->Read(buffer);
      text += count ? std::string(buffer, *count) : "unreadable";
    } else {
      text += ErrorCodeName(file.error().code);
    }
    const std::lock_guard lock(mutex_);
    read.push_back(text);
  }
  bool Wants(std::string_view, std::string_view) const override { return true; }

  void Sort() {
    std::sort(seen.begin(), seen.end());
    std::sort(read.begin(), read.end());
  }
  Names above, seen, read, repositories;
  std::stop_source* stop_at_once = nullptr;

 private:
  std::mutex mutex_;
};

class Searching : public PerResolver {
 protected:
  // "allow", or the refusal.
  std::string Run(const confine::Root& root, std::string_view start, Everything& found,
                  confine::SearchTerms terms = {}) {
    terms.reach = confine::SearchReach::kContents;
    auto outcome = root.Search(start, terms, found, nullptr);
    found.Sort();
    if (outcome) outcome_ = *outcome;
    return Describe(outcome);
  }
  confine::SearchOutcome outcome_;
};
CORDON_PER_RESOLVER(Searching);

TEST_P(Searching, SeesEverythingAndFollowsNoLink) {
  Given({FileWith("root/b/z", "1"), FileWith("root/b/a", "2"), FileWith("root/a", "3"),
         Link("root/b/out", "../../outside"), Link("root/c", "b"), Dir("root/B")});
  const auto root = Open();
  Everything all;
  ASSERT_EQ(Run(root, ".", all), "allow");
  EXPECT_EQ(all.seen, (Names{"B", "a", "b", "b/a", "b/out", "b/z", "c"}));
  EXPECT_EQ(all.read.size(), 5u);
  EXPECT_EQ(std::count_if(all.read.begin(), all.read.end(),
                          [](const std::string& text) { return text.find("secret") != text.npos; }),
            0);
  EXPECT_EQ(all.read[0], "a=3");
  Everything below;
  ASSERT_EQ(Run(root, "c", below), "allow") << "the start may be a link";
  EXPECT_EQ(below.seen, (Names{"a", "out", "z"}));
  EXPECT_EQ(below.above, (Names{""}));
}

TEST_P(Searching, PassesOverWhatIsDenied) {
  Given({FileWith("root/.env", "K"), FileWith("root/.git/config", "c"),
         FileWith("root/a/.ssh/k", "k"), FileWith("root/a/f", "x"),
         FileWith("root/.env.example", "e")});
  const auto root = Open();
  Everything all;
  ASSERT_EQ(Run(root, ".", all), "allow");
  EXPECT_EQ(all.seen, (Names{".env.example", "a", "a/f"}));
  EXPECT_EQ(all.read, (Names{".env.example=e", "a/f=x"}));
  EXPECT_EQ(all.repositories, (Names{""}));
  Everything none;
  EXPECT_REFUSED(root.Search(".git", {}, none, nullptr), ErrorCode::kPathDenied);
  EXPECT_REFUSED(root.Search(".env", {}, none, nullptr), ErrorCode::kPathDenied);
  EXPECT_TRUE(none.seen.empty() && none.read.empty());
}

TEST_P(Searching, ReadsNoContentThatARuleHidesFromReading) {
  Given({FileWith("root/keys/k.pem", "K"), FileWith("root/keys/k.txt", "t"),
         FileWith("root/only/names/f", "n")});
  policy::DenyRule pem, names;
  pem.pattern = "*.pem";
  pem.operations.reset().set(static_cast<std::size_t>(Operation::kRead));
  names.pattern = "/only/names";
  names.operations.reset().set(static_cast<std::size_t>(Operation::kList));
  auto options = OptionsOf(policy::Profile::kStrict, GetParam());
  options.deny =
      std::make_shared<policy::DenyList>(std::move(*policy::DenyList::Compile({pem, names})));
  const auto root = OpenWith(options);
  Everything all;
  ASSERT_EQ(Run(root, ".", all), "allow");
  EXPECT_EQ(all.read, (Names{"keys/k.txt=t"}));
  Everything listed;
  ASSERT_TRUE(root.Search(".", {}, listed, nullptr).has_value());
  listed.Sort();
  EXPECT_EQ(listed.seen, (Names{"keys", "keys/k.pem", "keys/k.txt", "only"}));
}

TEST_P(Searching, RefusesAFileWithOtherNames) {
  Given({FileWith("root/f", "x")});
  ASSERT_EQ(::link(scratch_.At("outside/secret").c_str(), scratch_.At("root/hard").c_str()), 0);
  const auto root = Open();
  Everything all;
  ASSERT_EQ(Run(root, ".", all), "allow");
  EXPECT_EQ(all.read, (Names{"f=x", "hard=PATH_DENIED"}));
  Everything one;
  EXPECT_NE(Run(root, "hard", one), "allow");
}

TEST_P(Searching, StartsAtAFile) {
  Given({FileWith("root/d/f", "x"), FileWith("root/d/g", "y")});
  const auto root = Open();
  Everything one;
  ASSERT_EQ(Run(root, "d/f", one), "allow");
  EXPECT_EQ(one.read, (Names{"f=x"}));
  EXPECT_EQ(outcome_.start, confine::SearchOutcome::Start::kFile);
  Everything none;
  EXPECT_EQ(::mkfifo(scratch_.At("root/fifo").c_str(), 0600), 0);
  EXPECT_NE(Run(root, "fifo", none), "allow");
}

TEST_P(Searching, RefusesAStartThatLeadsOut) {
  Given({Link("root/out", "../outside"), FileWith("root/f", "x")});
  const auto root = Open();
  Everything none;
  EXPECT_REFUSED(root.Search("out", {}, none, nullptr), ErrorCode::kPathOutsideProject);
  EXPECT_REFUSED(root.Search("..", {}, none, nullptr), ErrorCode::kPathOutsideProject);
  EXPECT_REFUSED(root.Search("none", {}, none, nullptr), ErrorCode::kNotFound);
  EXPECT_TRUE(none.seen.empty() && none.read.empty());
}

TEST_P(Searching, ARefusedBeginningShowsNothing) {
  Given({FileWith("root/f", "x")});
  const auto root = Open();
  Everything none;
  Error error;
  error.code = ErrorCode::kIoError;
  EXPECT_REFUSED(root.Search(".", {}, none, [&](std::string_view) -> Status { return error; }),
                 ErrorCode::kIoError);
  EXPECT_TRUE(none.seen.empty() && none.read.empty());
}

TEST_P(Searching, StopsWhenAskedAndKeepsToItsLimits) {
  std::vector<SetupStep> steps;
  for (int i = 0; i < 50; ++i) steps.push_back(FileWith("root/d" + std::to_string(i) + "/f", "x"));
  Given(steps);
  const auto root = Open();
  std::stop_source stop;
  Everything some;
  some.stop_at_once = &stop;
  confine::SearchTerms terms;
  terms.stop = stop.get_token();
  ASSERT_EQ(Run(root, ".", some, terms), "allow");
  EXPECT_TRUE(outcome_.stopped);
  EXPECT_TRUE(some.read.empty());
  Everything few;
  confine::SearchTerms small;
  small.max_entries = 20;
  ASSERT_EQ(Run(root, ".", few, small), "allow");
  EXPECT_TRUE(outcome_.limited);
  Everything shallow;
  confine::SearchTerms flat;
  flat.max_depth = 0;
  ASSERT_EQ(Run(root, ".", shallow, flat), "allow");
  EXPECT_TRUE(outcome_.limited);
  EXPECT_TRUE(shallow.read.empty());
}

// Deeper than descriptors are held for, wider than workers take at once.
TEST_P(Searching, DepthCostsNoDescriptors) {
  std::string path = "root";
  std::vector<SetupStep> steps;
  for (int i = 0; i < 300; ++i) {
    path += "/d";
    steps.push_back(FileWith(path + "/a", "x"));
    steps.push_back(FileWith(path + "/z", "y"));
  }
  Given(steps);
  const auto root = Open();
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit tight = before;
  tight.rlim_cur = 256;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &tight), 0);
  Everything all;
  const std::string done = Run(root, ".", all);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  ASSERT_EQ(done, "allow");
  EXPECT_EQ(outcome_.failed, 0u);
  EXPECT_EQ(all.read.size(), 600u);
  EXPECT_EQ(all.seen.size(), 900u);
}

TEST_P(Searching, CountsWhatCannotBeLookedInto) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  Given({FileWith("root/shut/f", "x"), FileWith("root/open/f", "y")});
  ASSERT_EQ(::chmod(scratch_.At("root/shut").c_str(), 0), 0);
  const auto root = Open();
  Everything all;
  ASSERT_EQ(Run(root, ".", all), "allow");
  EXPECT_EQ(outcome_.failed, 1u);
  ASSERT_EQ(outcome_.failures.size(), 1u);
  EXPECT_EQ(outcome_.failures[0].path, "shut");
  EXPECT_EQ(all.read, (Names{"open/f=y"}));
  ASSERT_EQ(::chmod(scratch_.At("root/shut").c_str(), 0700), 0);
}

}  // namespace
}  // namespace cordon::testing
