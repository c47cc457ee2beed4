#include "bench/provision_stage.h"

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
#include <iostream>
#include <random>

#include "platform/packet_socket.h"
#include "platform/unique_fd.h"
#include "provision/local_driver.h"

namespace cordon::bench {
namespace {

using Clock = std::chrono::steady_clock;

double PrivateBytes(const std::string& process) {
  std::ifstream rollup("/proc/" + process + "/smaps_rollup");
  double bytes = 0;
  for (std::string line; std::getline(rollup, line);) {
    if (!line.starts_with("Private_")) continue;
    bytes += 1024 * std::strtod(line.c_str() + line.find(':') + 1, nullptr);
  }
  return bytes;
}

}  // namespace

void FailProvision(const std::string& why) {
  std::cerr << "provision_bench: " << why << '\n';
  std::exit(2);  // NOLINT(concurrency-mt-unsafe)
}

double MillisecondsOf(const std::function<void()>& work) {
  const auto began = Clock::now();
  work();
  return std::chrono::duration<double, std::milli>(Clock::now() - began).count();
}

double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double Best(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::min_element(values.begin(), values.end());
}

SandboxId NewSandbox() {
  static std::random_device source;
  std::array<std::uint8_t, SandboxId::kRandomBytes> random{};
  for (std::uint8_t& byte : random) byte = static_cast<std::uint8_t>(source());
  return SandboxId::FromRandom(random);
}

void RunOutside(std::vector<std::string> words) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t process = 0;
  if (::posix_spawnp(&process, words.front().c_str(), nullptr, nullptr, arguments.data(),
                     environ) != 0) {
    FailProvision(words.front() + " cannot be started");
  }
  int status = 0;
  if (::waitpid(process, &status, 0) != process || status != 0) {
    FailProvision(words.front() + " failed");
  }
}

ScratchDirectory::ScratchDirectory() {
  std::string name = "/var/tmp/cordon-bench-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) FailProvision("cannot make a directory");
  path_ = name;
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

LocalStage::LocalStage() {
  provision::LocalOptions options;
  options.directory = scratch_.At("sandboxes");
  options.launcher = CORDON_LAUNCHER;
  auto driver = provision::MakeLocalDriver(std::move(options));
  if (!driver) FailProvision(driver.error().detail);
  driver_ = std::move(*driver);
}

void LocalStage::Create(const SandboxId& id) {
  const provision::Terms terms{id, "", {}, {}, "none", provision::Isolation::kKernelLine};
  const auto facts = driver_->Create(terms);
  if (!facts) FailProvision("not made: " + facts.error().detail);
}

void LocalStage::Destroy(const SandboxId& id) {
  if (const Status done = driver_->Destroy(id); !done) {
    FailProvision("not ended: " + done.error().detail);
  }
}

void LocalStage::RunTrue(const SandboxId& id) {
  provision::ExecTerms terms;
  terms.arguments = {"true"};
  auto exec = driver_->Start(id, terms);
  if (!exec) FailProvision("not run: " + exec.error().detail);
  for (auto piece = (*exec)->Read(); piece && *piece;) piece = (*exec)->Read();
  const auto end = (*exec)->Wait();
  if (!end || end->status != 0) FailProvision("true did not succeed");
}

double LocalStage::IdleBytes(const SandboxId& id) const {
  const std::string control = scratch_.At("sandboxes/") + id.text() + "/control";
  const platform::UniqueFd directory(::open(control.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const auto connection = platform::ConnectForPackets(directory.get(), "socket");
  if (!connection) FailProvision("no socket");
  const auto launcher = platform::PeerProcess(connection->get());
  if (!launcher) FailProvision("no launcher");
  const std::string own = std::to_string(*launcher);
  std::string inside;
  std::ifstream("/proc/" + own + "/task/" + own + "/children") >> inside;
  return PrivateBytes(own) + PrivateBytes(inside);
}

}  // namespace cordon::bench
