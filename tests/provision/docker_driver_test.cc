// The Docker driver with a real engine, by each runtime.
#include "provision/docker_driver.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <set>
#include <thread>

#include "tests/provision/docker_fixture.h"

namespace cordon::provision {
namespace {

using Clock = std::chrono::steady_clock;

TEST_P(DockerDriverTest, MakesUsesAndRemoves) {
  ASSERT_TRUE(driver_->Probe());
  const Terms terms = NewTerms();
  const auto facts = driver_->Create(terms);
  ASSERT_TRUE(facts) << facts.error().detail;
  EXPECT_EQ(facts->isolation, terms.isolation);
  EXPECT_NE(facts->isolation_detail.find(GetParam()), std::string::npos);
  EXPECT_EQ(facts->resources.memory, terms.resources.memory);
  const Ran ran = Sh(terms.id, "echo out; echo err >&2; pwd; id -u; exit 3");
  EXPECT_EQ(ran.out, "out\n/workspace\n1000\n");
  EXPECT_EQ(ran.err, "err\n");
  EXPECT_EQ(ran.end.status, 3);
  EXPECT_EQ(ran.end.why, ExecEnd::Why::kExited);
  EXPECT_EQ(driver_->Create(terms).error().code, ErrorCode::kAlreadyExists);
  EXPECT_EQ(Sh(terms.id, "echo still").out, "still\n");
  ASSERT_TRUE(driver_->Destroy(terms.id));
  EXPECT_TRUE(driver_->Destroy(terms.id));
  EXPECT_TRUE(driver_->List()->empty());
  EXPECT_EQ(engine_->Ask("/containers/json?all=1").find(terms.id.text()), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_empty(settings_.directory));
  EXPECT_EQ(driver_->Start(terms.id, {{"true"}, {}, "", {}, {}, {}}).error().code,
            ErrorCode::kNotFound);
}

TEST_P(DockerDriverTest, HoldsWhatItPromises) {
  const SandboxId id = Made();
  const Ran ran = Sh(id,
                     "grep Cap /proc/self/status | grep -v 0000000000000000; touch /x; "
                     "touch /etc/x; echo a >/tmp/a && echo b >$HOME/b && cat /tmp/a $HOME/b; "
                     "cat /proc/net/dev | grep : | grep -v lo:; ulimit -c; "
                     "cat /.cordon/cordon-tools >/dev/null; echo x >>/.cordon/cordon-tools; "
                     "ls /var/run/docker.sock; dd if=/dev/zero of=/tmp/big bs=1M count=300 2>&1 "
                     "| grep -c -i 'no space'; rm -f /tmp/big");
  EXPECT_EQ(ran.out, "a\nb\n0\n1\n") << ran.err;
  if (!gvisor()) {
    const Ran status = Sh(id, "grep -E 'NoNewPrivs|Seccomp:' /proc/self/status");
    EXPECT_EQ(status.out, "NoNewPrivs:\t1\nSeccomp:\t2\n");
  } else {
    EXPECT_NE(Sh(id, "dmesg").out.find("gVisor"), std::string::npos);
  }
}

TEST_P(DockerDriverTest, StreamsBothWays) {
  const SandboxId id = Made();
  ExecTerms terms;
  terms.arguments = {"sh", "-c", "wc -c; head -c 3000000 /dev/zero"};
  auto exec = Begin(id, terms);
  ASSERT_TRUE(exec);
  std::thread writer([&] {
    const std::string piece(100'000, 'x');
    for (int i = 0; i < 20; ++i) EXPECT_TRUE(exec->Write(piece));
    exec->CloseInput();
  });
  const Ran ran = Finish(*exec);
  writer.join();
  EXPECT_EQ(ran.out.substr(0, 8), "2000000\n");
  EXPECT_EQ(ran.out.size(), 3'000'008U);
}

TEST_P(DockerDriverTest, WritesMoreThanAProgramTakes) {
  const SandboxId id = Made();
  ExecTerms terms;
  terms.arguments = {"sleep", "60"};
  auto exec = Begin(id, terms);
  ASSERT_TRUE(exec);
  std::thread writer([&] {
    while (exec->Write(std::string(50'000, 'x'))) {
    }
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  const auto begun = Clock::now();
  exec->Kill();
  const Ran ran = Finish(*exec);
  writer.join();
  EXPECT_EQ(ran.end.why, ExecEnd::Why::kKilled);
  EXPECT_LT(Clock::now() - begun, std::chrono::seconds(20));
}

TEST_P(DockerDriverTest, EndsTreesAtTheirTimeAndWhenDropped) {
  const SandboxId id = Made();
  ExecTerms terms;
  terms.arguments = {"sh", "-c", "setsid sleep 1234 & sleep 1234"};
  terms.timeout = std::chrono::milliseconds(700);
  auto exec = Begin(id, terms);
  ASSERT_TRUE(exec);
  EXPECT_EQ(Finish(*exec).end.why, ExecEnd::Why::kTimeout);
  EXPECT_EQ(Sh(id, "ps -o comm | grep -c sleep").out, "0\n");
  terms.timeout = {};
  exec = Begin(id, terms);
  ASSERT_TRUE(exec);
  EXPECT_EQ(Sh(id, "ps -o comm | grep -c sleep").out, "2\n");
  exec.reset();
  std::string left = "2\n";
  for (int tries = 0; tries < 50 && left != "0\n"; ++tries) {
    left = Sh(id, "ps -o comm | grep -c sleep").out;
  }
  EXPECT_EQ(left, "0\n");
  terms.bond = ExecTerms::Bond::kDetached;
  Begin(id, terms).reset();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(Sh(id, "ps -o comm | grep -c sleep").out, "2\n");
}

TEST_P(DockerDriverTest, PlaysATerminal) {
  const SandboxId id = Made();
  ExecTerms terms;
  terms.arguments = {"sh", "-c", "stty size; read x; stty size; echo got $x"};
  terms.terminal = TerminalSize{30, 90};
  auto exec = Begin(id, terms);
  ASSERT_TRUE(exec);
  std::string seen;
  while (seen.find("30 90") == std::string::npos) {
    const auto piece = exec->Read();
    ASSERT_TRUE(piece && *piece) << seen;
    seen += (*piece)->bytes;
  }
  EXPECT_TRUE(exec->Resize({40, 100}));
  EXPECT_TRUE(exec->Write("abc\n"));
  const Ran ran = Finish(*exec);
  EXPECT_NE(ran.out.find("40 100"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("got abc"), std::string::npos) << ran.out;
}

TEST_P(DockerDriverTest, TellsWhatCannotBeStarted) {
  const SandboxId id = Made();
  ExecTerms terms;
  terms.arguments = {"no-such-program"};
  EXPECT_EQ(driver_->Start(id, terms).error().code, ErrorCode::kCommandFailed);
  terms = {{"true"}, {}, "/no/such/place", {}, {}, {}};
  EXPECT_EQ(driver_->Start(id, terms).error().code, ErrorCode::kCommandFailed);
}

TEST_P(DockerDriverTest, ReachesPortsInside) {
  const SandboxId id = Made();
  EXPECT_EQ(driver_->Connect(id, 8080).error().code, ErrorCode::kNotFound);
  ExecTerms terms;
  terms.arguments = {"nc", "-ll", "-p", "8080", "-e", "/bin/cat"};
  auto server = Begin(id, terms);
  ASSERT_TRUE(server);
  std::vector<std::uint16_t> ports;
  for (int tries = 0; tries < 50 && ports.empty(); ++tries) ports = driver_->Inspect(id)->ports;
  EXPECT_EQ(ports, std::vector<std::uint16_t>{8080});
  const auto stream = driver_->Connect(id, 8080);
  ASSERT_TRUE(stream) << stream.error().detail;
  ASSERT_EQ(::write(stream->get(), "hello", 5), 5);
  std::string got;
  while (got.size() < 5) {
    pollfd ready = {stream->get(), POLLIN, 0};
    ASSERT_EQ(::poll(&ready, 1, 10'000), 1);
    char bytes[64];
    const ssize_t count = ::read(stream->get(), bytes, sizeof bytes);
    ASSERT_GT(count, 0);
    got.append(bytes, static_cast<std::size_t>(count));
  }
  EXPECT_EQ(got, "hello");
}

TEST_P(DockerDriverTest, SeesAndSignalsProcesses) {
  const SandboxId id = Made();
  ExecTerms terms;
  terms.arguments = {"sleep", "4321"};
  auto exec = Begin(id, terms);
  ASSERT_TRUE(exec);
  const auto usage = driver_->Inspect(id);
  ASSERT_TRUE(usage) << usage.error().detail;
  EXPECT_GT(usage->memory, 0U);
  EXPECT_GT(usage->cpu.count(), 0);
  std::uint32_t process = 0;
  for (const Process& one : usage->processes) {
    if (one.arguments == "sleep 4321") process = one.id;
  }
  ASSERT_NE(process, 0U);
  EXPECT_TRUE(driver_->Signal(id, process, 15));
  const Ran ran = Finish(*exec);
  EXPECT_EQ(ran.end.signal, 15);
  EXPECT_EQ(driver_->Signal(id, process, 15).error().code, ErrorCode::kNotFound);
}

TEST_P(DockerDriverTest, StandsStillAndGoesOn) {
  const SandboxId id = Made();
  ASSERT_TRUE(driver_->Pause(id));
  EXPECT_TRUE(driver_->Pause(id));
  EXPECT_EQ(driver_->List()->at(0).liveness, Liveness::kPaused);
  ASSERT_TRUE(driver_->Resume(id));
  EXPECT_TRUE(driver_->Resume(id));
  EXPECT_EQ(Sh(id, "echo on").out, "on\n");
  ASSERT_TRUE(driver_->Pause(id));
  EXPECT_TRUE(driver_->Destroy(id));
}

TEST_P(DockerDriverTest, IsFoundAgainByALaterProcess) {
  const SandboxId id = Made();
  Sh(id, "echo kept >file");
  driver_ = Open();
  const auto found = driver_->List();
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 1U);
  EXPECT_EQ(found->at(0).id, id);
  EXPECT_EQ(found->at(0).liveness, Liveness::kRunning);
  EXPECT_EQ(found->at(0).making, Found::Making::kFinished);
  const auto facts = driver_->Adopt(id);
  ASSERT_TRUE(facts) << facts.error().detail;
  EXPECT_EQ(facts->isolation, gvisor() ? Isolation::kGvisor : Isolation::kContainer);
  EXPECT_EQ(Sh(id, "cat file").out, "kept\n");
  settings_.owner += "-other";
  settings_.directory = engine_->NewDirectory();
  EXPECT_TRUE(Open()->List()->empty());  // another server's are not ours
}

TEST_P(DockerDriverTest, TellsOfDeathAndWhy) {
  std::promise<SandboxId> dead;
  driver_->Watch([&](const SandboxId& id) { dead.set_value(id); });
  const SandboxId id = Made();
  ExecTerms terms;
  terms.arguments = {"sleep", "1000"};
  auto exec = Begin(id, terms);
  ASSERT_TRUE(exec);
  const std::string told_of = engine_->Ask("/containers/" + ContainerName(id) + "/json");
  const std::size_t at = told_of.find("\"Pid\":");
  ASSERT_NE(at, std::string::npos);
  ASSERT_EQ(::kill(std::stoi(told_of.substr(at + 6)), SIGKILL), 0);
  auto told = dead.get_future();
  ASSERT_EQ(told.wait_for(std::chrono::seconds(30)), std::future_status::ready);
  EXPECT_EQ(told.get(), id);
  EXPECT_EQ(Finish(*exec).end.why, ExecEnd::Why::kSandboxGone);
  const auto ending = driver_->Autopsy(id);
  ASSERT_TRUE(ending);
  EXPECT_EQ(ending->exit_status, 137);
  EXPECT_EQ(driver_->List()->at(0).liveness, Liveness::kDead);
}

TEST_P(DockerDriverTest, RemovesDeepTrees) {
  const SandboxId id = Made();
  Sh(id, "i=0; while [ $i -lt 400 ]; do mkdir d && cd d || break; i=$((i+1)); done; echo x >f");
  EXPECT_TRUE(driver_->Destroy(id));
  EXPECT_TRUE(std::filesystem::is_empty(settings_.directory));
}

TEST_P(DockerDriverTest, RefusesWhatItCannotGive) {
  Terms terms = NewTerms();
  terms.network = "full";
  EXPECT_EQ(driver_->Create(terms).error().code, ErrorCode::kUnsupported);
  terms = NewTerms();
  terms.image = "no-such-image:1";
  EXPECT_EQ(driver_->Create(terms).error().code, ErrorCode::kInvalidArguments);
  if (!gvisor()) {
    terms = NewTerms();
    terms.isolation = Isolation::kGvisor;
    EXPECT_EQ(driver_->Create(terms).error().code, ErrorCode::kSandboxRequired);
  }
  EXPECT_TRUE(driver_->List()->empty());
  EXPECT_TRUE(std::filesystem::is_empty(settings_.directory));
}

TEST_P(DockerDriverTest, OutlivesABombOrDiesAlone) {
  const SandboxId id = Made(), other = Made();
  ExecTerms terms;
  terms.arguments = {"sh", "-c", "f() { f | f & }; f; sleep 3"};
  terms.timeout = std::chrono::seconds(10);
  if (auto exec = driver_->Start(id, terms)) static_cast<void>((*exec)->Wait());
  EXPECT_EQ(Sh(other, "echo fine").out, "fine\n");
}

INSTANTIATE_TEST_SUITE_P(Runtimes, DockerDriverTest, ::testing::Values("runc", "runsc"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace cordon::provision
