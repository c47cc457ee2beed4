#include "tests/warden/behind_warden.h"

#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "policy/deny_list.h"
#include "warden/warden.h"

namespace cordon::warden_test {
namespace {

namespace fs = std::filesystem;
constexpr unsigned kOrdinary = 65534;

void BecomeOrdinary() {
  if (::geteuid() != 0) return;
  if (::setgroups(0, nullptr) != 0 || ::setresgid(kOrdinary, kOrdinary, kOrdinary) != 0 ||
      ::setresuid(kOrdinary, kOrdinary, kOrdinary) != 0) {
    ::_exit(125);
  }
}

void SendDescriptor(int socket, int fd) {
  char byte = 'x';
  iovec data = {&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message = {};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof fd);
  std::memcpy(CMSG_DATA(header), &fd, sizeof fd);
  (void)::sendmsg(socket, &message, 0);
}

int ReceiveDescriptor(int socket) {
  char byte = 0;
  iovec data = {&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message = {};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  if (::recvmsg(socket, &message, MSG_CMSG_CLOEXEC) <= 0) return -1;
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  int fd = -1;
  if (header != nullptr) std::memcpy(&fd, CMSG_DATA(header), sizeof fd);
  return fd;
}

// Hands what it hears to the test, one encoded message after another.
class Pipe final : public warden::Reporter {
 public:
  Pipe(int fd, const Answerer& answer) : fd_(fd), answer_(answer) {}
  void Refused(const sandbox::Refused& refused) override { Send(refused); }
  void RefusedMore(const sandbox::RefusedMore& more) override { Send(more); }
  void Ask(const sandbox::Ask& ask) override {
    Send(ask);
    waiting_.push_back(ask);
  }
  void AnswerAll(warden::Warden& warden) {
    while (!waiting_.empty()) {
      const sandbox::Ask ask = waiting_.front();
      waiting_.erase(waiting_.begin());
      const std::string path = answer_ ? answer_(ask) : "";
      if (path.empty()) {
        warden.Answered({ask.id, EACCES}, platform::UniqueFd());
      } else if (!sandbox::Opens(ask.way)) {
        warden.Answered({ask.id, 0}, platform::UniqueFd());
      } else if (ask.way != sandbox::Ask::Way::kRead) {
        warden.Answered({ask.id, 0}, platform::UniqueFd(::open(path.c_str(), O_RDWR | O_CLOEXEC)));
      } else {
        warden.Answered({ask.id, 0},
                        platform::UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC)));
      }
    }
  }

 private:
  void Send(const sandbox::Report& report) {
    const std::string bytes = sandbox::Encode(report);
    (void)::send(fd_, bytes.data(), bytes.size(), 0);
  }
  int fd_;
  const Answerer& answer_;
  std::vector<sandbox::Ask> waiting_;
};

[[noreturn]] void BeCommand(const Terms& terms, const std::vector<std::string>& command,
                            std::span<const platform::FilterInstruction> filter, int socket) {
  std::vector<char*> arguments;
  for (const std::string& argument : command)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  if (!terms.spec.directory.empty() && ::chdir(terms.spec.directory.c_str()) != 0) ::_exit(124);
  (void)::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (terms.supervised) {
    const int listener = platform::InstallFilter(filter, platform::Listener::kWanted);
    if (listener < 0) ::_exit(123);
    SendDescriptor(socket, listener);
    ::close(listener);
  }
  ::execvp(arguments[0], arguments.data());
  ::_exit(127);
}

int StatusOf(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// In a process of its own; its exit status is the command's.
[[noreturn]] void BeWarden(const Terms& terms, const std::vector<std::string>& command,
                           int report) {
  BecomeOrdinary();
  (void)::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  (void)::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
  const auto filter = platform::CompileFilter(terms.filter);
  if (!filter) ::_exit(122);
  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) ::_exit(121);
  const pid_t child = ::fork();
  if (child == 0) BeCommand(terms, command, *filter, sockets[1]);
  ::close(sockets[1]);
  int status = 0;
  if (!terms.supervised) {
    (void)::waitpid(child, &status, 0);
    ::_exit(StatusOf(status));
  }
  platform::UniqueFd listener(ReceiveDescriptor(sockets[0]));
  if (!listener.valid()) ::_exit(120);
  Pipe pipe(report, terms.answer);
  auto warden = warden::Warden::Make(terms.spec, warden::View::kOwn, std::move(listener), pipe);
  if (!warden) ::_exit(119);
  const int process = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  while (true) {
    pollfd waiting[3] = {
        {(*warden)->calls(), POLLIN, 0}, {(*warden)->clock(), POLLIN, 0}, {process, POLLIN, 0}};
    (void)::poll(waiting, 3, -1);
    if ((waiting[0].revents & POLLIN) != 0) (*warden)->Serve();
    if (waiting[1].revents != 0) (*warden)->Retry();
    pipe.AnswerAll(**warden);
    if ((waiting[2].revents & POLLIN) != 0 && ::waitpid(child, &status, WNOHANG) == child) break;
  }
  (*warden)->Finish();
  ::_exit(StatusOf(status));
}

void Take(const sandbox::Report& report, Outcome& outcome) {
  if (const auto* refused = std::get_if<sandbox::Refused>(&report))
    outcome.refused.push_back(*refused);
  if (const auto* more = std::get_if<sandbox::RefusedMore>(&report)) outcome.more = *more;
  if (const auto* ask = std::get_if<sandbox::Ask>(&report)) outcome.asked.push_back(*ask);
}

}  // namespace

bool Outcome::WasRefused(const std::string& rule, const std::string& path_end) const {
  for (const auto& one : refused) {
    if (one.rule == rule && one.path.ends_with(path_end)) return true;
  }
  return false;
}

sandbox::Spec SpecFor(const std::string& workspace) {
  sandbox::Spec spec;
  spec.directory = workspace;
  spec.places.push_back({workspace, sandbox::Place::Access::kReadWrite});
  for (const char* path :
       {"/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/passwd", "/etc/group",
        "/etc/nsswitch.conf", "/etc/localtime", "/etc/locale.alias", "/etc/hosts", "/etc/host.conf",
        "/etc/resolv.conf", "/sys/devices/system/cpu", "/etc/alternatives"}) {
    spec.system.push_back({path, sandbox::Place::Access::kRead});
  }
  spec.home = workspace + "-home";
  for (auto& rule : policy::DefaultDenyRules()) {
    if (rule.pattern != ".git") spec.denied.push_back(std::move(rule));
  }
  return spec;
}

Terms TermsFor(const std::string& workspace) {
  Terms terms;
  terms.spec = SpecFor(workspace);
  return terms;
}

Outcome RunBehind(const Terms& terms, const std::vector<std::string>& command) {
  Outcome outcome;
  int output[2], report[2];
  if (::pipe2(output, O_CLOEXEC) != 0) throw std::runtime_error("pipe2");
  if (::geteuid() == 0 && ::fchown(output[1], kOrdinary, kOrdinary) != 0)
    throw std::runtime_error("fchown");
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, report) != 0)
    throw std::runtime_error("socketpair");
  const pid_t warden = ::fork();
  if (warden == 0) {
    if (terms.own_streams) {
      ::dup2(::open("/dev/null", O_RDONLY), 0);
      ::dup2(output[1], 1);
      ::dup2(output[1], 2);
    }
    BeWarden(terms, command, report[1]);
  }
  ::close(output[1]);
  ::close(report[1]);
  pollfd waiting[2] = {{output[0], POLLIN, 0}, {report[0], POLLIN, 0}};
  while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
    (void)::poll(waiting, 2, -1);
    char buffer[65536];
    if (waiting[0].revents != 0) {
      const ssize_t got = ::read(output[0], buffer, sizeof buffer);
      if (got <= 0)
        waiting[0].fd = -1;
      else
        outcome.output.append(buffer, static_cast<std::size_t>(got));
    }
    if (waiting[1].revents != 0) {
      const ssize_t got = ::recv(report[0], buffer, sizeof buffer, 0);
      if (got <= 0)
        waiting[1].fd = -1;
      else if (auto decoded = sandbox::DecodeReport({buffer, static_cast<std::size_t>(got)}))
        Take(*decoded, outcome);
    }
  }
  int status = 0;
  (void)::waitpid(warden, &status, 0);
  outcome.status = StatusOf(status);
  ::close(output[0]);
  ::close(report[0]);
  return outcome;
}

Outcome RunScript(const Terms& terms, const std::string& script) {
  return RunBehind(terms, {"/bin/bash", "-c", script});
}

Workspace::Workspace() {
  char pattern[] = "/tmp/cordon-warden-XXXXXX";
  if (::mkdtemp(pattern) == nullptr) throw std::runtime_error("mkdtemp");
  top_ = pattern;
  path_ = top_ + "/ws";
  for (const std::string& made : {path_, path_ + "-home"}) fs::create_directory(made);
  if (::geteuid() == 0) {
    for (const std::string& given : {top_, path_, path_ + "-home"}) {
      if (::chown(given.c_str(), kOrdinary, kOrdinary) != 0) throw std::runtime_error("chown");
    }
  }
  ::setenv("HOME", (path_ + "-home").c_str(), 1);
  ::setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
  ::setenv("TMPDIR", top_.c_str(), 1);
}

Workspace::~Workspace() {
  std::error_code ignored;
  fs::remove_all(top_, ignored);
}

std::string Workspace::Read(const std::string& name) const {
  std::ifstream file(path_ + "/" + name, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

void Workspace::Write(const std::string& name, const std::string& content) const {
  fs::create_directories(fs::path(path_ + "/" + name).parent_path());
  std::ofstream(path_ + "/" + name, std::ios::binary) << content;
  if (::geteuid() == 0) {
    fs::path at = path_ + "/" + name;
    while (at.string().size() >= path_.size()) {
      if (::chown(at.c_str(), kOrdinary, kOrdinary) != 0) throw std::runtime_error("chown");
      at = at.parent_path();
    }
  }
}

bool Workspace::Exists(const std::string& name) const {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path_ + "/" + name, ignored));
}

int Workspace::Shell(const std::string& script) const {
  const pid_t child = ::fork();
  if (child == 0) {
    BecomeOrdinary();
    if (::chdir(path_.c_str()) != 0) ::_exit(124);
    ::execl("/bin/bash", "bash", "-c", script.c_str(), nullptr);
    ::_exit(127);
  }
  int status = 0;
  (void)::waitpid(child, &status, 0);
  return StatusOf(status);
}

}  // namespace cordon::warden_test
