#include "bench/stdio_peer.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <string_view>

namespace cordon::bench {
namespace {

constexpr std::size_t kPiece = std::size_t{256} << 10;
constexpr std::size_t kFront = 64;
constexpr int kPipe = 1 << 20;

[[noreturn]] void Fail(const std::string& why) {
  std::cerr << "mcp_bench: " << why << '\n';
  std::_Exit(2);
}

}  // namespace

StdioPeer::StdioPeer(const std::vector<std::string>& command) : piece_(kPiece) {
  std::array<int, 2> to{};
  std::array<int, 2> from{};
  if (::pipe2(to.data(), O_CLOEXEC) != 0 || ::pipe2(from.data(), O_CLOEXEC) != 0) {
    Fail("no pipes");
  }
  // So that neither side waits for the other because a pipe is full.
  ::fcntl(to[1], F_SETPIPE_SZ, kPipe);
  ::fcntl(from[1], F_SETPIPE_SZ, kPipe);
  process_ = ::fork();
  if (process_ < 0) Fail("cannot start a process");
  if (process_ == 0) {
    ::dup2(to[0], 0);
    ::dup2(from[1], 1);
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    ::dup2(nowhere, 2);
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
  }
  ::close(to[0]);
  ::close(from[1]);
  in_ = to[1];
  out_ = from[0];
}

StdioPeer::~StdioPeer() {
  ::close(in_);
  ::close(out_);
  ::waitpid(process_, nullptr, 0);
}

void StdioPeer::Send(const std::string& bytes) const {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t written = ::write(in_, bytes.data() + done, bytes.size() - done);
    if (written <= 0) Fail("the server takes no more");
    done += static_cast<std::size_t>(written);
  }
}

void StdioPeer::Fill() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  const ssize_t got = ::read(out_, piece_.data(), piece_.size());
  if (got <= 0) Fail("the server is gone");
  buffer_.append(piece_.data(), static_cast<std::size_t>(got));
}

void StdioPeer::Response() {
  std::size_t seen = begin_;
  for (;;) {
    const std::size_t end = buffer_.find('\n', seen);
    if (end == std::string::npos) {
      seen = buffer_.size() - begin_;
      Fill();
      continue;
    }
    const auto line = std::string_view(buffer_).substr(begin_, end - begin_);
    begin_ = end + 1;
    seen = begin_;
    // Both servers put it near the beginning; text of a file comes after it.
    const std::string_view front = line.substr(0, kFront);
    if (front.find(R"("result")") != front.npos) return;
    if (line.find(R"("result")") != line.npos) return;
    if (line.find(R"("method")") == line.npos) Fail("the server refused: " + std::string(line));
  }
}

std::size_t StdioPeer::ResidentKiB() const {
  std::ifstream status("/proc/" + std::to_string(process_) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::strtoul(line.c_str() + 6, nullptr, 10);
  }
  Fail("the server's memory cannot be read");
}

std::chrono::nanoseconds StdioPeer::ProcessorTime() const {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(process_, &clock) != 0 || ::clock_gettime(clock, &time) != 0) {
    Fail("the server's processor time cannot be read");
  }
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace cordon::bench
