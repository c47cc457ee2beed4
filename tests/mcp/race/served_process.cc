#include "tests/mcp/race/served_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

namespace cordon::testing {

ServedProcess::ServedProcess(const std::vector<std::string>& command, const std::string& home) {
  std::array<int, 2> to{};
  std::array<int, 2> from{};
  if (::pipe2(to.data(), O_CLOEXEC) != 0 || ::pipe2(from.data(), O_CLOEXEC) != 0) std::abort();
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ < 0) std::abort();
  if (process_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(0);
    ::dup2(to[0], 0);
    ::dup2(from[1], 1);
    ::setenv("HOME", home.c_str(), 1);
    for (const char* name : {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"}) {
      ::unsetenv(name);
    }
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  ::close(to[0]);
  ::close(from[1]);
  input_.reset(to[1]);
  output_.reset(from[0]);
}

std::string ServedProcess::FirstLine() const {
  std::string line;
  char next = 0;
  while (::read(output_.get(), &next, 1) == 1 && next != '\n') line += next;
  return line;
}

int ServedProcess::End(int signal) {
  if (process_ <= 0) return -1;
  input_.reset();
  if (signal != 0) ::kill(process_, signal);
  int status = 0;
  bool ended = false;
  for (int waited = 0; waited < 10'000 && !ended; ++waited) {  // 10 s, then by force
    ended = ::waitpid(process_, &status, WNOHANG) == process_;
    if (!ended) ::usleep(1000);
  }
  if (!ended) {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, &status, 0);
  }
  process_ = -1;
  output_.reset();
  return ended && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

ServedProcess::~ServedProcess() { End(); }

}  // namespace cordon::testing
