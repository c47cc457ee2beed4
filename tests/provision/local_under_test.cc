// The local driver, for the contract test.
#include <fcntl.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "base/try.h"
#include "platform/packet_socket.h"
#include "platform/unique_fd.h"
#include "provision/local_driver.h"
#include "tests/provision/driver_under_test.h"

namespace cordon::provision {
namespace {

std::string ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> Matching(const std::string& pattern) {
  glob_t found = {};
  std::vector<std::string> paths;
  if (::glob(pattern.c_str(), 0, nullptr, &found) == 0) {
    for (std::size_t i = 0; i < found.gl_pathc; ++i) paths.emplace_back(found.gl_pathv[i]);
  }
  ::globfree(&found);
  return paths;
}

class LocalUnderTest final : public DriverUnderTest {
 public:
  LocalUnderTest(std::string top, std::string launcher)
      : top_(std::move(top)), launcher_(std::move(launcher)) {}
  ~LocalUnderTest() override {
    driver_.reset();
    std::filesystem::remove_all(top_);
  }
  LocalUnderTest(const LocalUnderTest&) = delete;
  LocalUnderTest& operator=(const LocalUnderTest&) = delete;

  Status Open() {
    std::ofstream(top_ + "/secret") << "secret of the host";
    TRY_ASSIGN(driver_, Another());
    return {};
  }

  Driver& driver() override { return *driver_; }
  Abilities abilities() const override {
    Abilities abilities;
    // Killed with its launcher, nobody is left to write down how it was.
    abilities.tells_exit_status = false;
    return abilities;
  }
  Result<std::unique_ptr<Driver>> Another() override {
    LocalOptions options;
    options.directory = top_ + "/sandboxes";
    options.launcher = launcher_;
    return MakeLocalDriver(std::move(options));
  }

  Status KillByForce(const SandboxId& id) override {
    const std::string control = top_ + "/sandboxes/" + id.text() + "/control";
    const platform::UniqueFd directory(::open(control.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    TRY_ASSIGN(const platform::UniqueFd connection,
               platform::ConnectForPackets(directory.get(), "socket"));
    TRY_ASSIGN(const int launcher, platform::PeerProcess(connection.get()));
    killed_[id] = launcher;
    if (::kill(launcher, SIGKILL) != 0) return Error{};
    return {};
  }

  std::string LeftOf(const SandboxId& id) override {
    std::string left;
    if (::access((top_ + "/sandboxes/" + id.text()).c_str(), F_OK) == 0) left += "its directory\n";
    // Every process inside has its workspace mounted.
    for (const std::string& mounts : Matching("/proc/[0-9]*/mountinfo")) {
      if (ReadText(mounts).find(id.text()) != std::string::npos) left += mounts + "\n";
    }
    if (const auto launcher = killed_.find(id); launcher != killed_.end()) {
      const std::string group = "cordon-" + std::to_string(launcher->second);
      for (const std::string depth : {"*/", "*/*/", "*/*/*/"}) {
        for (const std::string& path : Matching("/sys/fs/cgroup/" + depth + group)) {
          left += path + "\n";
        }
      }
    }
    return left;
  }

  std::string SecretOfHost() override { return top_ + "/secret"; }

  std::string ListenScript(int port) override {
    return "exec python3 -c \"import socket;s=socket.socket();"
           "s.setsockopt(socket.SOL_SOCKET,socket.SO_REUSEADDR,1);s.bind(('127.0.0.1'," +
           std::to_string(port) +
           "));s.listen();print('listening',flush=True);c,_=s.accept();c.recv(9);"
           "c.sendall(b'hello');c.close()\"";
  }

  Result<std::string> ReadWorkspaceFile(const SandboxId& id, const std::string& name) override {
    const std::string path = top_ + "/sandboxes/" + id.text() + "/workspace/" + name;
    if (::access(path.c_str(), R_OK) != 0) return Error{};
    return ReadText(path);
  }
  Status WriteWorkspaceFile(const SandboxId& id, const std::string& name,
                            const std::string& content) override {
    std::ofstream file(top_ + "/sandboxes/" + id.text() + "/workspace/" + name);
    file << content;
    if (!file.flush()) return Error{};
    return {};
  }

 private:
  const std::string top_, launcher_;
  std::unique_ptr<Driver> driver_;
  std::map<SandboxId, int> killed_;
};

}  // namespace

std::unique_ptr<DriverUnderTest> MakeDriverUnderTest(std::string& why_not) {
  const char* launcher = std::getenv("CORDON_LAUNCH");
  if (launcher == nullptr) {
    why_not = "CORDON_LAUNCH names no launcher";
    return nullptr;
  }
  std::string top = "/var/tmp/cordon-local-XXXXXX";
  if (::mkdtemp(top.data()) == nullptr) {
    why_not = "no directory can be made in /var/tmp";
    return nullptr;
  }
  auto driver = std::make_unique<LocalUnderTest>(top, launcher);
  if (const Status open = driver->Open(); !open) {
    why_not = open.error().detail;
    return nullptr;
  }
  return driver;
}

}  // namespace cordon::provision
