// Ports in Docker's sandboxes, reached over one relay in each, with a real engine.
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "tests/provision/docker_fixture.h"

namespace cordon::provision {
namespace {

using Clock = std::chrono::steady_clock;
using platform::UniqueFd;

// Everything until the end, or what came in time.
std::string ReadAll(int stream) {
  std::string all;
  char bytes[65536];
  while (true) {
    pollfd ready = {stream, POLLIN, 0};
    if (::poll(&ready, 1, 20'000) != 1) return all + " and no end";
    const ssize_t count = ::read(stream, bytes, sizeof bytes);
    if (count <= 0) return all;
    all.append(bytes, static_cast<std::size_t>(count));
  }
}

class DockerPortsTest : public DockerDriverTest {
 protected:
  // One whose port 8080 gives back what it gets.
  SandboxId Echoing() {
    const SandboxId id = Made();
    ExecTerms terms;
    terms.arguments = {"nc", "-ll", "-p", "8080", "-e", "/bin/cat"};
    server_ = Begin(id, terms);
    for (int tries = 0; tries < 200; ++tries) {
      if (driver_->Connect(id, 8080)) return id;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    ADD_FAILURE() << "nobody listens";
    return id;
  }
  UniqueFd Connected(const SandboxId& id) {
    auto stream = driver_->Connect(id, 8080);
    EXPECT_TRUE(stream) << stream.error().detail;
    return stream ? std::move(*stream) : UniqueFd();
  }
  std::unique_ptr<Exec> server_;
};

TEST_P(DockerPortsTest, HalfOfAStreamEndsAlone) {
  const SandboxId id = Echoing();
  const UniqueFd stream = Connected(id);
  ASSERT_EQ(::write(stream.get(), "hello", 5), 5);
  ::shutdown(stream.get(), SHUT_WR);
  EXPECT_EQ(ReadAll(stream.get()), "hello");
}

TEST_P(DockerPortsTest, MuchGoesBothWaysAtOnce) {
  const SandboxId id = Echoing();
  const UniqueFd stream = Connected(id);
  std::string much;
  while (much.size() < (std::size_t{2} << 20)) much += std::to_string(much.size()) + " ";
  std::thread writing([&] {
    for (std::size_t at = 0; at < much.size();) {
      const ssize_t count = ::write(stream.get(), much.data() + at, much.size() - at);
      if (count <= 0) return;
      at += static_cast<std::size_t>(count);
    }
    ::shutdown(stream.get(), SHUT_WR);
  });
  const std::string back = ReadAll(stream.get());
  writing.join();
  EXPECT_TRUE(back == much) << back.size() << " of " << much.size();
}

// And one of them that nobody reads does not hold up the others.
TEST_P(DockerPortsTest, ManyStreamsAtOnce) {
  const SandboxId id = Echoing();
  const UniqueFd stuck = Connected(id);
  const std::string much(std::size_t{512} << 10, 'x');
  static_cast<void>(::send(stuck.get(), much.data(), much.size(), MSG_DONTWAIT));
  std::vector<std::thread> threads;
  std::atomic<int> good = 0;
  for (int i = 0; i < 20; ++i) {
    threads.emplace_back([&, i] {
      const auto stream = driver_->Connect(id, 8080);
      if (!stream) return;
      const std::string text = "number " + std::to_string(i);
      if (::write(stream->get(), text.data(), text.size()) < 0) return;
      ::shutdown(stream->get(), SHUT_WR);
      if (ReadAll(stream->get()) == text) ++good;
    });
  }
  for (std::thread& one : threads) one.join();
  EXPECT_EQ(good, 20);
}

// A stream costs no process, so it is much faster to have than one.
TEST_P(DockerPortsTest, StreamsCostLittle) {
  const SandboxId id = Echoing();
  const auto median = [](const auto& work) {
    std::vector<Clock::duration> times;
    for (int i = 0; i < 9; ++i) {
      const auto begun = Clock::now();
      work();
      times.push_back(Clock::now() - begun);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
  };
  const auto stream = median([&] { Connected(id); });
  const auto program = median([&] { Sh(id, "true"); });
  const auto ms = [](auto time) { return std::chrono::duration<double, std::milli>(time).count(); };
  std::cout << "a stream " << ms(stream) << " ms, a program " << ms(program) << " ms\n";
  EXPECT_LT(stream * 4, program);
}

TEST_P(DockerPortsTest, ARelayThatIsKilledInsideIsStartedAnew) {
  const SandboxId id = Echoing();
  const UniqueFd stream = Connected(id);
  Sh(id,
     "for p in /proc/[0-9]*; do tr '\\0' ' ' <$p/cmdline | grep -q 'cordon-tools [r]elay' && "
     "kill -9 ${p#/proc/}; done; true");
  EXPECT_EQ(ReadAll(stream.get()), "");
  const UniqueFd again = Connected(id);
  ::shutdown(again.get(), SHUT_WR);
  EXPECT_EQ(ReadAll(again.get()), "");
}

TEST_P(DockerPortsTest, StreamsEndWithTheSandbox) {
  const SandboxId id = Echoing();
  const UniqueFd stream = Connected(id);
  ASSERT_TRUE(driver_->Destroy(id));
  EXPECT_EQ(ReadAll(stream.get()), "");
  EXPECT_EQ(driver_->Connect(id, 8080).error().code, ErrorCode::kNotFound);
}

INSTANTIATE_TEST_SUITE_P(Runtimes, DockerPortsTest, ::testing::Values("runc", "runsc"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace cordon::provision
