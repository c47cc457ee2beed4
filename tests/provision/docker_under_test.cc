// The Docker driver, for the contract test: with an engine of its own and the runtime that
// CORDON_RUNTIME names.
#include <glob.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "provision/docker_driver.h"
#include "tests/provision/docker_engine.h"
#include "tests/provision/driver_under_test.h"

namespace cordon::provision {
namespace {

constexpr uid_t kUserInside = 1000;

std::string ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class DockerUnderTest final : public DriverUnderTest {
 public:
  DockerUnderTest(testing::DockerEngine& engine, const DockerSettings& settings)
      : engine_(engine), settings_(settings), secret_(engine.NewDirectory()) {
    std::ofstream(secret_) << "secret of the host";
  }
  Status Open() {
    auto driver = Another();
    if (!driver) return driver.error();
    driver_ = std::move(*driver);
    return {};
  }

  Driver& driver() override { return *driver_; }
  Abilities abilities() const override {
    Abilities abilities;
    abilities.network_allow_list = false;
    abilities.reports_refusals = false;
    // gVisor's kernel is in the same group as what runs on it.
    abilities.outlives_memory_limit = settings_.runtime != "runsc";
    // gVisor's of 2022 shows the environment and what is mapped where, not what is in it; the first
    // process has no environment but the sandbox's own.
    abilities.hides_first_process = settings_.runtime != "runsc";
    return abilities;
  }
  Result<std::unique_ptr<Driver>> Another() override { return MakeDockerDriver(settings_); }

  Status KillByForce(const SandboxId& id) override {
    boost::system::error_code failed;
    const auto told =
        boost::json::parse(engine_.Ask("/containers/" + ContainerName(id) + "/json"), failed);
    if (failed || !told.is_object()) return Error{};
    const auto process = told.at("State").at("Pid").to_number<pid_t>();
    if (process <= 1 || ::kill(process, SIGKILL) != 0) return Error{};
    return {};
  }

  std::string LeftOf(const SandboxId& id) override {
    std::string left;
    if (engine_.Ask("/containers/json?all=1").find(id.text()) != std::string::npos) {
      left += "its container\n";
    }
    if (::access((settings_.directory + "/" + id.text()).c_str(), F_OK) == 0) {
      left += "its directory\n";
    }
    glob_t found = {};
    if (::glob("/proc/[0-9]*/mountinfo", 0, nullptr, &found) == 0) {
      for (std::size_t i = 0; i < found.gl_pathc; ++i) {
        if (ReadText(found.gl_pathv[i]).find(id.text()) == std::string::npos) continue;
        left.append(found.gl_pathv[i]).append("\n");
      }
    }
    ::globfree(&found);
    return left;
  }

  std::string SecretOfHost() override { return secret_; }

  // There is no network to fetch by (abilities).
  std::string FetchScript(int /*port*/) override { return "exit 1"; }
  std::string ListenScript(int port) override {
    char hex[8];
    std::snprintf(hex, sizeof hex, ":%04X", static_cast<unsigned>(port));
    return "printf hello | nc -l -p " + std::to_string(port) +
           " & until cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | grep -q '" + hex +
           " '; do sleep 0.05; done; echo listening; wait";
  }

  Result<std::string> ReadWorkspaceFile(const SandboxId& id, const std::string& name) override {
    const std::string path = PathOf(id, name);
    if (::access(path.c_str(), R_OK) != 0) return Error{};
    return ReadText(path);
  }
  Status WriteWorkspaceFile(const SandboxId& id, const std::string& name,
                            const std::string& content) override {
    const std::string path = PathOf(id, name);
    std::ofstream file(path);
    file << content;
    if (!file.flush() || ::chown(path.c_str(), kUserInside, kUserInside) != 0) return Error{};
    return {};
  }

 private:
  std::string PathOf(const SandboxId& id, const std::string& name) const {
    return settings_.directory + "/" + id.text() + "/workspace/" + name;
  }

  testing::DockerEngine& engine_;
  const DockerSettings settings_;
  const std::string secret_;
  std::unique_ptr<Driver> driver_;
};

}  // namespace

std::unique_ptr<DriverUnderTest> MakeDriverUnderTest(std::string& why_not) {
  const char* const runtime = std::getenv("CORDON_RUNTIME");
  const char* const tools = std::getenv("CORDON_TOOLS");
  if (runtime == nullptr || tools == nullptr) {
    why_not = "CORDON_RUNTIME or CORDON_TOOLS is not set";
    return nullptr;
  }
  testing::DockerEngine* const engine = testing::DockerEngine::Get(why_not);
  if (engine == nullptr) return nullptr;
  if (!engine->HasRuntime(runtime)) {
    why_not = "No container engine for this test: it has no runtime " + std::string(runtime);
    return nullptr;
  }
  why_not.clear();
  DockerSettings settings;
  settings.socket = engine->socket();
  settings.runtime = runtime;
  settings.image = testing::DockerEngine::image();
  settings.directory = engine->NewDirectory();
  settings.tools = tools;
  auto driver = std::make_unique<DockerUnderTest>(*engine, settings);
  if (const Status open = driver->Open(); !open) {
    why_not = open.error().detail;
    return nullptr;
  }
  return driver;
}

}  // namespace cordon::provision
