// provision_bench [--idle N] [--json FILE] [--enforce] [--rounds N]
//
// What a sandbox of the local driver costs: until it is ready, for a program in it, and in
// memory while nothing happens in N of them. Where CORDON_BENCH_IMAGE names an image of a Docker
// engine, `docker run` is measured in the same rounds.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "bench/arguments.h"
#include "platform/packet_socket.h"
#include "platform/unique_fd.h"
#include "provision/local_driver.h"

namespace cordon::bench {
namespace {

using Clock = std::chrono::steady_clock;
using provision::Driver;
using provision::Terms;

constexpr int kRounds = 25;
constexpr int kIdle = 100;
constexpr double kMostCreateMs = 25, kMostExecMs = 5, kMostIdleMb = 4, kDockerShare = 0.1;

[[noreturn]] void Fail(const std::string& why) {
  std::cerr << "provision_bench: " << why << '\n';
  std::exit(2);  // NOLINT(concurrency-mt-unsafe)
}

SandboxId NewId() {
  static std::random_device source;
  std::array<std::uint8_t, SandboxId::kRandomBytes> random{};
  for (std::uint8_t& byte : random) byte = static_cast<std::uint8_t>(source());
  return SandboxId::FromRandom(random);
}

double MillisecondsOf(const std::function<void()>& work) {
  const auto began = Clock::now();
  work();
  return std::chrono::duration<double, std::milli>(Clock::now() - began).count();
}

double Best(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::min_element(values.begin(), values.end());
}

double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

class Stage {
 public:
  Stage() {
    std::string name = "/var/tmp/cordon-bench-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) Fail("cannot make a directory");
    path_ = name;
    provision::LocalOptions options;
    options.directory = path_ + "/sandboxes";
    options.launcher = CORDON_LAUNCHER;
    auto driver = provision::MakeLocalDriver(std::move(options));
    if (!driver) Fail(driver.error().detail);
    driver_ = std::move(*driver);
  }
  ~Stage() {
    driver_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  Driver& driver() { return *driver_; }
  void Create(const SandboxId& id) {
    const Terms terms{id, "", {}, {}, "none", provision::Isolation::kKernelLine};
    const auto facts = driver_->Create(terms);
    if (!facts) Fail("not made: " + facts.error().detail);
  }
  void Destroy(const SandboxId& id) {
    if (const Status done = driver_->Destroy(id); !done) Fail("not ended: " + done.error().detail);
  }
  void RunTrue(const SandboxId& id) {
    provision::ExecTerms terms;
    terms.arguments = {"true"};
    auto exec = driver_->Start(id, terms);
    if (!exec) Fail("not run: " + exec.error().detail);
    for (auto piece = (*exec)->Read(); piece && *piece;) piece = (*exec)->Read();
    if (!(*exec)->Wait()) Fail("no end");
  }
  // Bytes that the two processes of a sandbox have for themselves.
  double IdleBytes(const SandboxId& id) const {
    const std::string control = path_ + "/sandboxes/" + id.text() + "/control";
    const platform::UniqueFd directory(::open(control.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const auto connection = platform::ConnectForPackets(directory.get(), "socket");
    if (!connection) Fail("no socket");
    const auto launcher = platform::PeerProcess(connection->get());
    if (!launcher) Fail("no launcher");
    const std::string own = std::to_string(*launcher);
    std::string inside;
    std::ifstream("/proc/" + own + "/task/" + own + "/children") >> inside;
    return PrivateBytes(own) + PrivateBytes(inside);
  }

 private:
  static double PrivateBytes(const std::string& process) {
    std::ifstream rollup("/proc/" + process + "/smaps_rollup");
    double bytes = 0;
    for (std::string line; std::getline(rollup, line);) {
      if (!line.starts_with("Private_")) continue;
      bytes += 1024 * std::strtod(line.c_str() + line.find(':') + 1, nullptr);
    }
    return bytes;
  }
  std::string path_;
  std::unique_ptr<Driver> driver_;
};

double MemoryAvailable() {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("MemAvailable:")) return 1024 * std::strtod(line.c_str() + 13, nullptr);
  }
  return 0;
}

void RunOutside(std::vector<std::string> words) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t process = 0;
  if (::posix_spawnp(&process, words.front().c_str(), nullptr, nullptr, arguments.data(),
                     environ) != 0) {
    Fail(words.front() + " cannot be started");
  }
  int status = 0;
  if (::waitpid(process, &status, 0) != process || status != 0) Fail(words.front() + " failed");
}

struct Line {
  std::string text;
  double measured = 0, bound = 0;
};

int Report(const std::vector<Line>& lines, const Arguments& arguments) {
  bool met = true;
  std::ostringstream json;
  for (const Line& line : lines) {
    const bool holds = line.bound == 0 || line.measured <= line.bound;
    met = met && holds;
    std::cout << line.text << ": " << line.measured;
    if (line.bound != 0) std::cout << " (at most " << line.bound << (holds ? ")" : ") NOT MET");
    std::cout << '\n';
    json << (json.tellp() == 0 ? "{" : ", ") << '"' << line.text << "\": " << line.measured;
  }
  if (!arguments.json.empty()) std::ofstream(arguments.json) << json.str() << "}\n";
  return met || !arguments.enforce ? 0 : 1;
}

int Measure(const Arguments& arguments, int idle) {
  Stage stage;
  const char* image = std::getenv("CORDON_BENCH_IMAGE");
  std::vector<double> create;
  std::vector<double> exec;
  std::vector<double> destroy;
  std::vector<double> outside;
  std::vector<double> docker;
  for (int round = 0; round < arguments.rounds; ++round) {
    const SandboxId id = NewId();
    create.push_back(MillisecondsOf([&] { stage.Create(id); }));
    stage.RunTrue(id);  // once, so that what it reads is in memory
    exec.push_back(MillisecondsOf([&] { stage.RunTrue(id); }));
    destroy.push_back(MillisecondsOf([&] { stage.Destroy(id); }));
    outside.push_back(MillisecondsOf([] { RunOutside({"true"}); }));
    if (image != nullptr) {
      docker.push_back(MillisecondsOf([&] {
        RunOutside({"docker", "run", "--rm", image, "true"});
      }));
    }
  }
  std::vector<SandboxId> ids;
  const double before = MemoryAvailable();
  for (int i = 0; i < idle; ++i) {
    ids.push_back(NewId());
    stage.Create(ids.back());
  }
  const double machine = idle > 0 ? (before - MemoryAvailable()) / idle : 0;
  std::vector<double> bytes;
  for (const SandboxId& id : ids) bytes.push_back(stage.IdleBytes(id));
  for (const SandboxId& id : ids) stage.Destroy(id);
  constexpr double kMegabyte = 1024.0 * 1024;
  std::vector<Line> lines = {{"create to ready, ms, median", Median(create), kMostCreateMs},
                             {"exec of true, ms, median", Median(exec), kMostExecMs},
                             {"create to ready, ms, best", Best(create), 0},
                             {"exec of true, ms, best", Best(exec), 0},
                             {"true outside, ms, median", Median(outside), 0},
                             {"true outside, ms, best", Best(outside), 0},
                             {"destroy, ms, median", Median(destroy), 0},
                             {"idle, MB of its own, median of " + std::to_string(idle),
                              Median(bytes) / kMegabyte, kMostIdleMb},
                             {"idle, MB less on the machine, each", machine / kMegabyte, 0}};
  if (image != nullptr) {
    lines.push_back({"docker run, ms, median", Median(docker), 0});
    lines.push_back({"create / docker run", Median(create) / Median(docker), kDockerShare});
  }
  return Report(lines, arguments);
}

}  // namespace
}  // namespace cordon::bench

int main(int argc, char** argv) {
  int idle = cordon::bench::kIdle;
  std::vector<char*> rest;
  for (int i = 0; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--idle" && i + 1 < argc) {
      idle = std::atoi(argv[++i]);
    } else {
      rest.push_back(argv[i]);
    }
  }
  rest.push_back(nullptr);
  const auto arguments = cordon::bench::ParseArguments(
      static_cast<int>(rest.size()) - 1, rest.data(), "provision_bench", cordon::bench::kRounds);
  return cordon::bench::Measure(arguments, idle);
}
