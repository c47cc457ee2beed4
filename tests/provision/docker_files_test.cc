// The files of Docker's sandboxes, reached from inside, with a real engine.
#include <chrono>
#include <thread>

#include "provision/inside_files.h"
#include "tests/provision/docker_fixture.h"

namespace cordon::provision {
namespace {

using confine::FinalSymlink;
using confine::OpenMode;
using confine::Root;

class DockerFilesTest : public DockerDriverTest {
 protected:
  Root FilesOf(const SandboxId& id) {
    confine::RootOptions options;
    options.seen_as = "/workspace";
    auto list = policy::DenyList::Compile(policy::DefaultDenyRules());
    EXPECT_TRUE(list);
    options.deny = std::make_shared<const policy::DenyList>(std::move(*list));
    return RootInside([this, id] { return driver_->Tools(id); }, options);
  }
  static Status Write(const Root& root, std::string_view path, std::string_view bytes,
                      const confine::Expected& expected = {}) {
    auto next = root.Replace(path, expected);
    if (!next) return next.error();
    if (Status written = next->Write(bytes); !written) return written;
    return next->Commit();
  }
  static std::string Read(const Root& root, std::string_view path) {
    auto file = root.Open(path, OpenMode::kRead);
    if (!file) return std::string(ErrorCodeName(file.error().code));
    return file->ReadAll(std::size_t{64} << 20).value_or("not read");
  }
};

TEST_P(DockerFilesTest, BothSidesSeeTheSameFiles) {
  const SandboxId id = Made();
  const Root root = FilesOf(id);
  ASSERT_TRUE(root.MkdirAll("a/b"));
  const Status written = Write(root, "a/b/file", "from outside\n");
  ASSERT_TRUE(written) << written.error().detail;
  // What is written belongs to those inside.
  EXPECT_EQ(Sh(id, "echo more >>a/b/file && mv a/b/file a/c && cat a/c").out,
            "from outside\nmore\n");
  EXPECT_EQ(Read(root, "/workspace/a/c"), "from outside\nmore\n");
  EXPECT_EQ(Read(root, "../etc/passwd"), "PATH_OUTSIDE_PROJECT");
  Sh(id, "ln -s /etc/passwd out; echo x >.env; mkfifo fifo");
  EXPECT_EQ(Read(root, "out"), "PATH_OUTSIDE_PROJECT");
  EXPECT_EQ(Read(root, ".env"), "PATH_DENIED");
  EXPECT_EQ(Read(root, "fifo"), "NOT_A_REGULAR_FILE");
}

TEST_P(DockerFilesTest, EveryOperationWorksThere) {
  const SandboxId id = Made();
  const Root root = FilesOf(id);
  ASSERT_TRUE(root.Mkdir("d"));
  ASSERT_TRUE(root.MkdirExactly("e", 0700));
  ASSERT_TRUE(Write(root, "d/f", "1"));
  ASSERT_TRUE(root.Append("d/f", "2"));
  ASSERT_TRUE(root.Rename("d/f", root, "e/g"));
  ASSERT_TRUE(root.Symlink("e/g", "link"));
  EXPECT_EQ(root.ReadLink("link").value_or(""), "e/g");
  EXPECT_EQ(Read(root, "link"), "12");
  EXPECT_EQ(root.Stat("link", FinalSymlink::kNoFollow)->type, platform::FileType::kSymlink);
  const auto probed = root.Probe("e/g", Operation::kDelete);
  ASSERT_TRUE(probed);
  EXPECT_EQ(probed->path, "e/g");
  std::string paths;
  ASSERT_TRUE(root.Walk(".", {}, [&](const confine::WalkEntry& entry) {
    paths.append(entry.path).append(" ");
    return confine::WalkStep::kContinue;
  }));
  EXPECT_EQ(paths, "d e e/g link ");
  EXPECT_EQ(root.List("e")->size(), 1U);
  ASSERT_TRUE(root.Remove("link"));
  ASSERT_TRUE(root.RemoveAll("e"));
  ASSERT_TRUE(root.Remove("d"));
  EXPECT_EQ(Sh(id, "ls -A").out, "");
}

// What a person agreed to, and what a tool has read, is what is replaced, or nothing is.
TEST_P(DockerFilesTest, WhatIsExpectedIsHeldTo) {
  const SandboxId id = Made();
  const Root root = FilesOf(id);
  ASSERT_TRUE(Write(root, "file", "old"));
  confine::Expected content;
  content.content = Sha256("old");
  const Status replaced = Write(root, "file", "new", content);
  // gVisor's of 2022 cannot exchange two names, which this needs: it is refused, and says so.
  if (!replaced) {
    EXPECT_EQ(replaced.error().code, ErrorCode::kUnsupported);
  }
  EXPECT_EQ(Read(root, "file"), replaced ? "new" : "old");
  content.content = Sha256("never");
  EXPECT_FALSE(Write(root, "file", "newer", content));
  EXPECT_NE(Read(root, "file"), "newer");
  confine::Expected absent;
  absent.presence = confine::Presence::kAbsent;
  EXPECT_FALSE(Write(root, "file", "newer", absent));
  const Status made = Write(root, "free", "made", absent);
  EXPECT_TRUE(made) << made.error().detail;
  EXPECT_EQ(Sh(id, "ls -A").out, "file\nfree\n");
}

TEST_P(DockerFilesTest, LargeFilesGoBothWays) {
  const SandboxId id = Made();
  const Root root = FilesOf(id);
  std::string large;
  while (large.size() < (std::size_t{3} << 20)) large += std::to_string(large.size()) + "\n";
  ASSERT_TRUE(Write(root, "large", large));
  EXPECT_EQ(Read(root, "large"), large);
  EXPECT_EQ(Sh(id, "wc -c <large").out, std::to_string(large.size()) + "\n");
}

// The reason for all of this: who watches files inside is told of what is written from outside.
TEST_P(DockerFilesTest, WhoWatchesInsideIsTold) {
  const SandboxId id = Made();
  const Root root = FilesOf(id);
  ASSERT_TRUE(Write(root, "file", "first"));
  ExecTerms terms;
  terms.arguments = {"watcher", "/workspace"};
  const auto exec = Begin(id, terms);
  ASSERT_TRUE(exec);
  std::string said;
  const auto until = [&](std::string_view text) {
    while (said.find(text) == std::string::npos) {
      const auto piece = exec->Read();
      if (!piece || !*piece) return false;
      said += (*piece)->bytes;
    }
    return true;
  };
  ASSERT_TRUE(until("watching"));
  ASSERT_TRUE(Write(root, "file", "second"));
  EXPECT_TRUE(until("moved to file")) << said;  // it took the name
  ASSERT_TRUE(root.Append("file", "more"));
  EXPECT_TRUE(until("written file")) << said;
  ASSERT_TRUE(root.Remove("file"));
  EXPECT_TRUE(until("removed file")) << said;
  exec->Kill();
}

TEST_P(DockerFilesTest, OneThatIsKilledInsideIsStartedAnew) {
  const SandboxId id = Made();
  const Root root = FilesOf(id);
  ASSERT_TRUE(Write(root, "file", "first"));
  Sh(id,
     "for p in /proc/[0-9]*; do tr '\\0' ' ' <$p/cmdline | grep -q 'cordon-tools [f]iles' && "
     "kill -9 ${p#/proc/}; done; true");
  std::this_thread::sleep_for(std::chrono::seconds(1));
  EXPECT_EQ(Read(root, "file"), "first");
}

// Its end must not be waited for: engines forget to end the streams.
TEST_P(DockerFilesTest, WhenTheSandboxGoesSoDoesTheWay) {
  const SandboxId id = Made();
  const Root root = FilesOf(id);
  ASSERT_TRUE(Write(root, "file", "first"));
  ASSERT_TRUE(driver_->Destroy(id));
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_FALSE(root.Stat("file", FinalSymlink::kFollow));
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(20));
}

INSTANTIATE_TEST_SUITE_P(Runtimes, DockerFilesTest, ::testing::Values("runc", "runsc"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace cordon::provision
