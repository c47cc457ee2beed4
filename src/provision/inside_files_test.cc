#include "provision/inside_files.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <set>

#include "confine/ambient_authority.h"
#include "confine/search_visitor.h"
#include "inside/file_worker.h"
#include "tests/support/files_here.h"
#include "tests/tree.h"

namespace cordon::provision {
namespace {

using confine::Expected;
using confine::FinalSymlink;
using confine::OpenMode;
using confine::Root;
using confine::RootOptions;

RootOptions Options(std::vector<policy::DenyRule> rules = {}) {
  RootOptions options;
  options.seen_as = "/workspace";
  auto list = policy::DenyList::Compile(std::move(rules));
  EXPECT_TRUE(list);
  options.deny = std::make_shared<const policy::DenyList>(std::move(*list));
  return options;
}

class InsideFilesTest : public ::testing::Test {
 protected:
  Root Inside(const RootOptions& options) {
    return RootInside(
        [this]() -> Result<std::unique_ptr<ToolStream>> {
          ++started_;
          return std::unique_ptr<ToolStream>(std::make_unique<testing::FilesHere>(tree_.path()));
        },
        options);
  }
  Root Inside() { return Inside(Options()); }
  // The same directory as a root of this system.
  Root Outside(const RootOptions& options) {
    auto root =
        Root::OpenAmbient(tree_.path(), options, confine::AmbientAuthority::OfThisProcess());
    EXPECT_TRUE(root);
    return std::move(*root);
  }
  static std::string Content(const Root& root, std::string_view path) {
    auto file = root.Open(path, OpenMode::kRead);
    if (!file) return std::string(ErrorCodeName(file.error().code));
    const auto all = file->ReadAll(std::size_t{64} << 20);
    return all ? *all : std::string(ErrorCodeName(all.error().code));
  }
  static Status Write(const Root& root, std::string_view path, std::string_view bytes,
                      const Expected& expected = {}) {
    auto next = root.Replace(path, expected);
    if (!next) return next.error();
    if (Status written = next->Write(bytes); !written) return written;
    return next->Commit();
  }

  testing::Tree tree_;
  int started_ = 0;
};

TEST_F(InsideFilesTest, WhatIsWrittenIsRead) {
  const Root root = Inside();
  ASSERT_TRUE(root.MkdirAll("a/b"));
  ASSERT_TRUE(Write(root, "a/b/file", "content"));
  EXPECT_EQ(Content(root, "a/b/file"), "content");
  EXPECT_EQ(Content(root, "/workspace/a/b/file"), "content");
  EXPECT_EQ(Content(Outside(Options()), "a/b/file"), "content");
  EXPECT_EQ(started_, 1);
}

TEST_F(InsideFilesTest, LargeFilesGoInPieces) {
  const Root root = Inside();
  std::string large;
  for (int i = 0; large.size() < (std::size_t{1} << 20); ++i) large += std::to_string(i) + "\n";
  auto next = root.Replace("large");
  ASSERT_TRUE(next);
  for (std::size_t at = 0; at < large.size(); at += 100'001) {
    ASSERT_TRUE(next->Write(std::string_view(large).substr(at, 100'001)));
  }
  ASSERT_TRUE(next->SetMode(0750));
  ASSERT_TRUE(next->Commit());
  EXPECT_EQ(root.Stat("large", FinalSymlink::kFollow)->mode & 0777U, 0750U);
  EXPECT_EQ(Content(root, "large"), large);
  auto file = root.Open("large", OpenMode::kRead);
  ASSERT_TRUE(file);
  std::string piece(10, '\0');
  EXPECT_EQ(file->ReadAt(large.size() - 5, piece).value_or(0), 5U);
  EXPECT_EQ(piece.substr(0, 5), large.substr(large.size() - 5));
  EXPECT_EQ(file->ReadAt(large.size(), piece).value_or(9), 0U);
  EXPECT_EQ(file->ReadAll(1000).error().code, ErrorCode::kTooLarge);
}

TEST_F(InsideFilesTest, ALargeOneThatIsNotCommittedLeavesNothing) {
  const Root root = Inside();
  {
    auto next = root.Replace("large");
    ASSERT_TRUE(next);
    ASSERT_TRUE(next->Write(std::string(300'000, 'x')));
  }
  ASSERT_TRUE(root.Stat(".", FinalSymlink::kFollow));  // the next request tells that it is over
  EXPECT_TRUE(root.List(".")->empty());
}

// Each on a root of this system and on one reached from inside, with the same outcome.
TEST_F(InsideFilesTest, AnswersAreThoseOfARootHere) {
  const std::vector<policy::DenyRule> rules = policy::DefaultDenyRules();
  const Root inside = Inside(Options(rules));
  const Root outside = Outside(Options(rules));
  tree_.File("plain", "1");
  tree_.File("dir/.env", "2");
  tree_.Dir("dir/below");
  tree_.Link("out", "/etc/passwd");
  tree_.Link("in", "plain");
  const auto told = [](const Error& error) {
    return std::tuple(error.code, error.violation, error.rule, error.component);
  };
  for (const std::string path :
       {"plain", "dir", "dir/.env", "out", "in", "none", "none/x", "../x", "/etc/passwd",
        "/workspace/plain", "plain/x", "", ".git/config", "dir/../plain", "a\0b"}) {
    SCOPED_TRACE(path);
    const auto here = outside.Open(path, OpenMode::kRead);
    const auto there = inside.Open(path, OpenMode::kRead);
    ASSERT_EQ(here.has_value(), there.has_value());
    if (!here) {
      EXPECT_EQ(told(here.error()), told(there.error()));
      EXPECT_EQ(here.error().detail, there.error().detail);
      EXPECT_EQ(here.error().security_violation(), there.error().security_violation());
    }
    if (here) {
      EXPECT_EQ(here->path(), there->path());
    }
    for (const Operation operation : {Operation::kRead, Operation::kWrite, Operation::kDelete,
                                      Operation::kMkdir, Operation::kList}) {
      const auto probed = outside.Probe(path, operation);
      const auto probed_there = inside.Probe(path, operation);
      ASSERT_EQ(probed.has_value(), probed_there.has_value());
      if (!probed) {
        EXPECT_EQ(told(probed.error()), told(probed_there.error()));
      }
      if (!probed) continue;
      EXPECT_EQ(probed->path, probed_there->path);
      EXPECT_EQ(probed->exists, probed_there->exists);
      EXPECT_EQ(probed->stat.identity, probed_there->stat.identity);
      EXPECT_EQ(probed->directory, probed_there->directory);
    }
    const auto link = outside.ReadLink(path);
    const auto link_there = inside.ReadLink(path);
    ASSERT_EQ(link.has_value(), link_there.has_value());
    if (link) {
      EXPECT_EQ(*link, *link_there);
    }
  }
}

TEST_F(InsideFilesTest, NamesMoveAndGo) {
  const Root root = Inside();
  ASSERT_TRUE(Write(root, "a", "1"));
  ASSERT_TRUE(root.Append("a", "2"));
  ASSERT_TRUE(root.Rename("a", root, "b"));
  EXPECT_EQ(Content(root, "b"), "12");
  ASSERT_TRUE(root.Symlink("b", "link"));
  EXPECT_EQ(root.ReadLink("link").value_or(""), "b");
  EXPECT_EQ(root.Symlink("../../etc", "bad").error().code, ErrorCode::kPathOutsideProject);
  ASSERT_TRUE(root.Mkdir("d"));
  ASSERT_TRUE(root.MkdirExactly("d/e", 0700));
  ASSERT_TRUE(root.Remove("link"));
  ASSERT_TRUE(root.RemoveAll("d"));
  EXPECT_EQ(root.Remove("d").error().code, ErrorCode::kNotFound);
  const auto left = root.List(".");
  ASSERT_TRUE(left);
  ASSERT_EQ(left->size(), 1U);
  EXPECT_EQ(left->front().name, "b");
}

TEST_F(InsideFilesTest, WhatWasAgreedToIsWhatIsReplaced) {
  const Root root = Inside();
  ASSERT_TRUE(Write(root, "file", "old"));
  const auto probed = root.Probe("file", Operation::kWrite);
  ASSERT_TRUE(probed);
  ASSERT_TRUE(Write(root, "file", "another"));
  EXPECT_EQ(Write(root, "file", "new", probed->AsExpected()).error().code, ErrorCode::kStaleFile);
  EXPECT_EQ(Content(root, "file"), "another");
  const auto again = root.Probe("file", Operation::kWrite);
  ASSERT_TRUE(again);
  ASSERT_TRUE(Write(root, "file", "new", again->AsExpected()));
  Expected content;
  content.content = Sha256("not this");
  EXPECT_EQ(Write(root, "file", "newer", content).error().code, ErrorCode::kStaleFile);
}

TEST_F(InsideFilesTest, AWalkShowsWhatOneHereShows) {
  const std::vector<policy::DenyRule> rules = policy::DefaultDenyRules();
  for (const char* path : {"a/b/c", "a/d", "e", ".git/config", "a/.env"}) tree_.File(path, "x");
  const auto all = [](const Root& root) {
    std::string paths;
    EXPECT_TRUE(root.Walk(".", {}, [&](const confine::WalkEntry& entry) {
      paths.append(entry.path).append("\n");
      return entry.path == "a/b" ? confine::WalkStep::kSkipBelow : confine::WalkStep::kContinue;
    }));
    return paths;
  };
  EXPECT_EQ(all(Inside(Options(rules))), all(Outside(Options(rules))));
  EXPECT_EQ(all(Inside(Options(rules))), "a\na/b\na/d\ne\n");
  confine::WalkLimits few;
  few.max_entries = 2;
  EXPECT_EQ(Inside()
                .Walk(".", few, [](const auto&) { return confine::WalkStep::kContinue; })
                .error()
                .code,
            ErrorCode::kLimitExceeded);
}

// Everything it is shown, in no order.
class Everything final : public confine::SearchVisitor {
 public:
  using Note = std::shared_ptr<const confine::SearchNote>;
  Note PassThrough(const confine::SearchDirectory& directory, Note /*above*/) override {
    Add("pass", directory, directory.is_repository() ? "repository" : "");
    return nullptr;
  }
  Note Enter(std::size_t /*worker*/, const confine::SearchDirectory& directory, Note /*above*/,
             std::span<confine::SearchEntry> entries) override {
    Add("enter", directory, directory.is_repository() ? "repository" : "");
    for (confine::SearchEntry& entry : entries) entry.choice = confine::SearchChoice::kTake;
    return nullptr;
  }
  void Visit(std::size_t /*worker*/, const confine::SearchDirectory& directory,
             const confine::SearchEntry& entry) override {
    std::string told(entry.name);
    const auto file = directory.Open(entry.name);
    std::string bytes(100, '\0');
    if (file) bytes.resize(file->Read(bytes).value_or(0));
    told += file ? " = " + bytes : " cannot be opened";
    Add("visit", directory, told);
  }
  bool Wants(std::string_view /*directory*/, std::string_view name) const override {
    return name != "unwanted";
  }
  std::multiset<std::string> all;

 private:
  void Add(std::string_view what, const confine::SearchDirectory& directory,
           std::string_view more) {
    const std::lock_guard lock(mutex_);
    std::string line(what);
    line.append(" ").append(directory.path()).append(" ").append(directory.path_in_root());
    all.insert(line.append(" ").append(more));
  }
  std::mutex mutex_;
};

TEST_F(InsideFilesTest, ASearchShowsWhatOneHereShows) {
  const std::vector<policy::DenyRule> rules = policy::DefaultDenyRules();
  for (const char* path :
       {"a/b/c", "a/d", "e", ".git/config", "a/.env", "unwanted/f", "a/b/.git/x"}) {
    tree_.File(path, path);
  }
  tree_.Link("a/link", "e");
  tree_.Link("a/out", "/etc/passwd");
  for (const std::string start : {".", "a", "a/b", "e", "a/b/c", "none", "a/.env", "../x"}) {
    SCOPED_TRACE(start);
    Everything here, there;
    std::string began, began_there;
    confine::SearchTerms terms;
    terms.reach = confine::SearchReach::kContents;
    const auto outcome =
        Outside(Options(rules)).Search(start, terms, here, [&](std::string_view path) {
          began = path;
          return Status();
        });
    const auto outcome_there =
        Inside(Options(rules)).Search(start, terms, there, [&](std::string_view path) {
          began_there = path;
          return Status();
        });
    ASSERT_EQ(outcome.has_value(), outcome_there.has_value());
    EXPECT_EQ(began, began_there);
    EXPECT_EQ(here.all, there.all);
    if (!outcome) {
      EXPECT_EQ(outcome.error().code, outcome_there.error().code);
      continue;
    }
    EXPECT_EQ(outcome->start, outcome_there->start);
    EXPECT_EQ(outcome->failed, outcome_there->failed);
    EXPECT_EQ(outcome->directories, outcome_there->directories);
  }
}

TEST_F(InsideFilesTest, OneThatEndsIsStartedAnew) {
  int started = 0;
  // Ends when it is told.
  struct Mortal final : testing::FilesHere {
    Mortal(const std::string& directory, const bool& dead)
        : testing::FilesHere(directory), dead_(dead) {}
    Result<std::string> Receive(std::chrono::milliseconds patience) override {
      return dead_ ? Result<std::string>(std::string()) : testing::FilesHere::Receive(patience);
    }
    const bool& dead_;
  };
  std::deque<bool> dead;
  const Root root = RootInside(
      [&]() -> Result<std::unique_ptr<ToolStream>> {
        ++started;
        dead.push_back(false);
        return std::unique_ptr<ToolStream>(std::make_unique<Mortal>(tree_.path(), dead.back()));
      },
      Options());
  ASSERT_TRUE(Write(root, "file", "1"));
  EXPECT_EQ(started, 1);
  dead.back() = true;
  ASSERT_TRUE(Write(root, "file", "2"));
  EXPECT_EQ(started, 2);
  EXPECT_EQ(Content(root, "file"), "2");
}

}  // namespace
}  // namespace cordon::provision
