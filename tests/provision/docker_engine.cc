#include "tests/provision/docker_engine.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "net/http_client.h"

namespace cordon::testing {
namespace {

namespace fs = std::filesystem;

bool HasProgram(const std::string& name) {
  for (const char* folder : {"/usr/bin/", "/usr/sbin/", "/bin/", "/sbin/", "/usr/local/bin/"}) {
    if (::access((folder + name).c_str(), X_OK) == 0) return true;
  }
  return false;
}

void WriteScript(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
  fs::permissions(path, fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
}

// gVisor without KVM, which machines without nested virtualisation do not have. It takes newer
// kernels' network namespaces for the host's, so it is told that there is no network.
constexpr const char* kRunsc = "#!/bin/sh\nexec runsc --platform=ptrace --network=none \"$@\"\n";

pid_t Spawn(const std::vector<std::string>& arguments, const std::string& log) {
  std::vector<char*> pointers;
  for (const std::string& one : arguments) pointers.push_back(const_cast<char*>(one.c_str()));
  pointers.push_back(nullptr);
  const pid_t parent = ::getpid();
  const pid_t process = ::fork();
  if (process != 0) return process;
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(127);
  const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const int in = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(in, 0);
  ::dup2(out, 1);
  ::dup2(out, 2);
  ::execvp(pointers[0], pointers.data());
  ::_exit(127);
}

std::string LogEnd(const std::string& path) {
  std::ifstream in(path);
  std::string line, last;
  while (std::getline(in, line)) last = line;
  return last;
}

}  // namespace

DockerEngine* DockerEngine::Get(std::string& why) {
  static std::string told;
  static const std::unique_ptr<DockerEngine> engine = [] {
    std::unique_ptr<DockerEngine> made(new DockerEngine);
    if (!made->Start(told)) made.reset();
    return made;
  }();
  why = "No container engine for this test: " + told;
  return engine.get();
}

bool DockerEngine::Start(std::string& why) {
  if (::geteuid() != 0) return why = "it needs root", false;
  for (const char* program : {"dockerd", "containerd", "runc", "busybox", "tar"}) {
    if (!HasProgram(program)) return why = std::string(program) + " is not installed", false;
  }
  std::string name = "/tmp/cordon-docker-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) return why = "mkdtemp failed", false;
  folder_ = name;
  socket_ = folder_ + "/engine.sock";
  cgroup_ = "cordon-docker-" + std::to_string(::getpid());
  WriteScript(folder_ + "/runsc", kRunsc);
  std::vector<std::string> arguments = {"dockerd",
                                        "--host=unix://" + socket_,
                                        "--data-root=" + folder_ + "/data",
                                        "--exec-root=" + folder_ + "/exec",
                                        "--pidfile=" + folder_ + "/pid",
                                        "--config-file=" + folder_ + "/none.json",
                                        "--cgroup-parent=/" + cgroup_,
                                        "--bridge=none",
                                        "--iptables=false",
                                        "--ip6tables=false",
                                        "--ip-forward=false",
                                        "--ip-masq=false",
                                        "--userland-proxy=false"};
  if (HasProgram("runsc")) arguments.push_back("--add-runtime=runsc=" + folder_ + "/runsc");
  std::ofstream(folder_ + "/none.json") << "{}";
  process_ = Spawn(arguments, folder_ + "/log");
  for (int tries = 0; tries < 300; ++tries) {
    if (Ask("/_ping") == "OK") return ImportImage(why);
    if (::waitpid(process_, nullptr, WNOHANG) == process_) {
      process_ = -1;
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  why = "dockerd does not start: " + LogEnd(folder_ + "/log");
  return false;
}

std::string DockerEngine::Ask(const std::string& path) const {
  net::HttpCall call;
  call.target = path;
  const auto answer = net::HttpClient(net::HttpPeer{socket_}).Send(call);
  return answer ? answer->body : "";
}

bool DockerEngine::HasRuntime(const std::string& runtime) const {
  return Ask("/info").find("\"" + runtime + "\":{\"path\"") != std::string::npos;
}

std::string DockerEngine::NewDirectory() {
  return folder_ + "/driver-" + std::to_string(++directories_);
}

bool DockerEngine::ImportImage(std::string& why) {
  const std::string root = folder_ + "/root";
  for (const char* one : {"bin", "etc", "proc", "sys", "dev", "tmp", "home", "workspace", "usr"}) {
    fs::create_directories(root + "/" + one);
  }
  const std::string busybox = fs::exists("/bin/busybox") ? "/bin/busybox" : "/usr/bin/busybox";
  fs::copy_file(busybox, root + "/bin/busybox");
  fs::create_directory_symlink("../bin", root + "/usr/bin");
  std::ofstream(root + "/etc/passwd") << "root:x:0:0::/root:/bin/sh\n"
                                         "cordon:x:1000:1000::/home/cordon:/bin/sh\n";
  const std::string link = "cd " + root +
                           "/bin && for one in $(./busybox --list); do "
                           "[ -e $one ] || ln -s busybox $one; done";
  if (std::system(link.c_str()) != 0) return why = "busybox cannot be laid out", false;
  FILE* const tar = ::popen(("tar -C " + root + " -c .").c_str(), "re");
  net::HttpCall call;
  call.method = "POST";
  call.target = "/images/create?fromSrc=-&repo=cordon-test&tag=1";
  call.fields.Add("Content-Type", "application/x-tar");
  call.pieces = [tar]() -> Result<std::optional<std::string>> {
    std::string piece(std::size_t{64} << 10, '\0');
    piece.resize(std::fread(piece.data(), 1, piece.size(), tar));
    if (piece.empty()) return std::optional<std::string>();
    return std::optional<std::string>(std::move(piece));
  };
  const auto answer = net::HttpClient(net::HttpPeer{socket_}).Send(call);
  ::pclose(tar);
  if (answer && answer->status == 200) return true;
  why = "the image cannot be imported: " + (answer ? answer->body : answer.error().detail);
  return false;
}

void DockerEngine::RemoveCgroups() const {
  std::error_code ignored;
  for (const auto& hierarchy : fs::directory_iterator("/sys/fs/cgroup", ignored)) {
    ::rmdir((hierarchy.path() / cgroup_).c_str());
  }
  ::rmdir(("/sys/fs/cgroup/" + cgroup_).c_str());
}

DockerEngine::~DockerEngine() {
  if (process_ > 0) {
    ::kill(process_, SIGTERM);
    int tries = 0;
    while (::waitpid(process_, nullptr, WNOHANG) == 0 && ++tries < 300) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    if (tries == 300) {
      ::kill(process_, SIGKILL);
      ::waitpid(process_, nullptr, 0);
    }
  }
  if (folder_.empty()) return;
  RemoveCgroups();
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

}  // namespace cordon::testing
