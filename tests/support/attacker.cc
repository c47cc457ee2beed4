#include "tests/support/attacker.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace cordon::testing {

struct Attacker::Shared {
  std::atomic<unsigned long> changes{0};
  std::atomic<bool> stop{false};
};

namespace {

void Exchange(const char* first, const char* second) {
  ::renameat2(AT_FDCWD, first, AT_FDCWD, second, RENAME_EXCHANGE);
}

}  // namespace

Attacker::Attacker(std::vector<Contested> contested) : contested_(std::move(contested)) {
  void* memory =
      ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  shared_ = new (memory) Shared;
  const pid_t parent = ::getpid();
  child_ = ::fork();
  if (child_ < 0) std::abort();
  if (child_ > 0) return;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(0);
  ::alarm(120);
  // Every round leaves the names as it found them, so that stopping between two
  // rounds needs no repair.
  while (!shared_->stop.load(std::memory_order_relaxed)) {
    for (const Contested& pair : contested_) {
      const char* first = pair.first.c_str();
      const char* second = pair.second.c_str();
      pair.swap ? Exchange(first, second) : static_cast<void>(::rename(first, second));
      pair.swap ? Exchange(first, second) : static_cast<void>(::rename(second, first));
    }
    shared_->changes.fetch_add(2 * contested_.size(), std::memory_order_relaxed);
  }
  ::_exit(0);
}

unsigned long Attacker::changes() const { return shared_ == nullptr ? 0 : shared_->changes.load(); }

void Attacker::Stop() {
  if (child_ <= 0) return;
  shared_->stop.store(true);
  int status = 0;
  for (int waited = 0; waited < 2000; ++waited) {  // 2 s, then by force
    if (::waitpid(child_, &status, WNOHANG) == child_) {
      child_ = -1;
      return;
    }
    ::usleep(1000);
  }
  ::kill(child_, SIGKILL);
  ::waitpid(child_, &status, 0);
  child_ = -1;
}

Attacker::~Attacker() {
  Stop();
  ::munmap(shared_, sizeof(Shared));
}

}  // namespace cordon::testing
