// The workspace, ports, and what can be seen of a sandbox.
#include <sys/socket.h>
#include <unistd.h>

#include "tests/provision/contract.h"

namespace cordon::provision {
namespace {

class Inside : public Contract {
 protected:
  void SetUp() override {
    Contract::SetUp();
    if (IsSkipped()) return;
    id_.emplace(Made());
  }
  const SandboxId& id() const { return *id_; }
  std::optional<SandboxId> id_;
};

TEST_F(Inside, TheWorkspaceBeginsEmpty) { EXPECT_EQ(Sh(id(), "ls -A /workspace").out, ""); }

TEST_F(Inside, WhatIsWrittenInsideIsReadOutside) {
  Sh(id(), "printf 'from inside' > /workspace/file");
  const auto content = under_test().ReadWorkspaceFile(id(), "file");
  ASSERT_TRUE(content) << content.error().detail;
  EXPECT_EQ(*content, "from inside");
}

TEST_F(Inside, WhatIsWrittenOutsideIsReadAndChangedInside) {
  ASSERT_TRUE(under_test().WriteWorkspaceFile(id(), "file", "from outside"));
  const Outcome outcome = Sh(id(), "cat file && echo more >> file && mv file other && rm other");
  EXPECT_EQ(outcome.out, "from outside");
  EXPECT_EQ(outcome.end.status, 0) << outcome.err;
}

TEST_F(Inside, FilesStayFromProgramToProgram) {
  Sh(id(), "mkdir -p a/b && echo kept > a/b/c && ln -s a/b/c link && chmod 755 a/b/c");
  EXPECT_EQ(Sh(id(), "cat link").out, "kept\n");
}

TEST_F(Inside, ProgramsInItCanBeWrittenAndRun) {
  const Outcome outcome = Sh(id(), "printf '#!/bin/sh\\necho ran' > run && chmod +x run && ./run");
  EXPECT_EQ(outcome.out, "ran\n") << outcome.err;
}

TEST_F(Inside, TheWayToFilesIsTold) {
  const auto files = driver().Files(id());
  ASSERT_TRUE(files);
  if (files->way == FileAccess::Way::kDirectory) {
    EXPECT_TRUE(files->path.starts_with('/'));
  }
}

TEST_F(Inside, TemporaryFilesAndHomeCanBeUsed) {
  const Outcome outcome =
      Sh(id(), "echo x > /tmp/a && cat /tmp/a && echo y > \"$HOME/b\" && cat \"$HOME/b\"");
  EXPECT_EQ(outcome.out, "x\ny\n") << outcome.err;
}

TEST_F(Inside, UsualDevicesAreThere) {
  const Outcome outcome = Sh(id(),
                             "echo x > /dev/null && head -c 4 /dev/zero | wc -c | tr -d ' ' && "
                             "head -c 4 /dev/urandom | wc -c | tr -d ' '");
  EXPECT_EQ(outcome.out, "4\n4\n") << outcome.err;
}

TEST_F(Inside, ProcessesAreSeenWithWhatTheyUse) {
  const std::string mark = Mark();
  const auto exec = driver().Start(id(), Shell("exec sleep " + mark));
  ASSERT_TRUE(exec);
  ASSERT_TRUE(Eventually([&] { return CountOf(id(), mark) == 1; }));
  const auto usage = driver().Inspect(id());
  ASSERT_TRUE(usage);
  EXPECT_GT(usage->memory, 0U);
  for (const Process& process : usage->processes) {
    EXPECT_NE(process.id, 0U);
    EXPECT_FALSE(process.program.empty());
  }
}

TEST_F(Inside, TimeUsedIsCounted) {
  const auto before = driver().Inspect(id());
  ASSERT_TRUE(before);
  Sh(id(), "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done");
  const auto after = driver().Inspect(id());
  ASSERT_TRUE(after);
  EXPECT_GT(after->cpu, before->cpu);
}

std::string ReadAll(int stream) {
  std::string all;
  char buffer[256];
  for (ssize_t size = 1; size > 0;) {
    size = ::read(stream, buffer, sizeof buffer);
    if (size > 0) all.append(buffer, static_cast<std::size_t>(size));
  }
  return all;
}

TEST_F(Inside, APortInsideIsReached) {
  constexpr int kPort = 18080;
  auto exec = driver().Start(id(), Shell(under_test().ListenScript(kPort)));
  ASSERT_TRUE(exec);
  Until(**exec, "listening");
  Result<platform::UniqueFd> stream = driver().Connect(id(), kPort);
  ASSERT_TRUE(Eventually([&] {
    if (!stream) stream = driver().Connect(id(), kPort);
    return stream.has_value();
  }));
  ASSERT_EQ(::send(stream->get(), "hi\n", 3, MSG_NOSIGNAL), 3);
  ::shutdown(stream->get(), SHUT_WR);
  EXPECT_NE(ReadAll(stream->get()).find("hello"), std::string::npos);
}

TEST_F(Inside, PortsThatListenAreSeen) {
  constexpr int kPort = 18081;
  auto exec = driver().Start(id(), Shell(under_test().ListenScript(kPort)));
  ASSERT_TRUE(exec);
  Until(**exec, "listening");
  EXPECT_TRUE(Eventually([&] {
    const auto usage = driver().Inspect(id());
    return usage &&
           std::find(usage->ports.begin(), usage->ports.end(), kPort) != usage->ports.end();
  }));
}

TEST_F(Inside, APortWhereNobodyListens) {
  EXPECT_EQ(driver().Connect(id(), 18099).error().code, ErrorCode::kNotFound);
}

TEST_F(Inside, TheSamePortInTwoSandboxes) {
  constexpr int kPort = 18082;
  const SandboxId other = Made();
  auto first = driver().Start(id(), Shell(under_test().ListenScript(kPort)));
  auto second = driver().Start(other, Shell(under_test().ListenScript(kPort)));
  ASSERT_TRUE(first);
  ASSERT_TRUE(second);
  EXPECT_NE(Until(**first, "listening").find("listening"), std::string::npos);
  EXPECT_NE(Until(**second, "listening").find("listening"), std::string::npos);
}

}  // namespace
}  // namespace cordon::provision
