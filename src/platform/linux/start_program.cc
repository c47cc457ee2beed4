#include "platform/start_program.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <csignal>

#include "platform/inherited.h"
#include "platform/landlock.h"
#include "platform/linux/error_from_errno.h"

namespace cordon::platform {
namespace {

// For a few calls and a program's name.
constexpr std::size_t kStackBytes = 64UL * 1024;

// What the new process tells, in memory that both see.
struct Shared {
  int listener = 0;
  NotStarted failed;
};

struct Beginning {
  const ProgramTerms& terms;
  char* const* arguments;
  char* const* environment;
  Shared& shared;
};

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

int TakeTerminal(int terminal) {
  if (::setsid() < 0 || ::ioctl(terminal, TIOCSCTTY, 0) != 0) return errno;
  for (int stream = 0; stream < 3; ++stream) {
    if (::dup2(terminal, stream) < 0) return errno;
  }
  return 0;
}

// Ends before others when memory runs out: above all before the one that supervises it.
void OfferForEnding() {
  // Else its own settings would belong to somebody else.
  if (!SetTraceable(Traceable::kYes)) return;
  const UniqueFd file(::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC));
  if (file.valid() && ::write(file.get(), "500", 3) < 0) return;  // it was only a wish
}

int Prepare(const ProgramTerms& terms) {
  if (terms.terminal >= 0) {
    if (const int failed = TakeTerminal(terms.terminal); failed != 0) return failed;
  }
  if (terms.terminal < 0 && terms.session == ProgramTerms::Session::kOwn && ::setsid() < 0) {
    return errno;
  }
  if (terms.out_of_memory == ProgramTerms::OutOfMemory::kFirst) OfferForEnding();
  if (const Status died = DieWithParent(EndSignal::kKill); !died) return died.error().os_errno;
  if (const Status set = SetResourceLimits(terms.limits); !set) return set.error().os_errno;
  if (terms.inner_line >= 0) {
    if (const Status in = EnterInnerLine(terms.inner_line); !in) return in.error().os_errno;
  }
  ResetSignals();
  return 0;
}

// As a shell looks for it: a candidate that may not be run is told of only if none does.
int Execute(const ProgramTerms& terms, char* const* arguments, char* const* environment) {
  int told = ENOENT;
  for (const std::string& candidate : terms.candidates) {
    ::execve(candidate.c_str(), arguments, environment);
    if (errno == EACCES || (errno != ENOENT && errno != ENOTDIR)) told = errno;
    if (errno != ENOENT && errno != ENOTDIR && errno != EACCES) break;
  }
  return told;
}

[[noreturn]] void Become(const Beginning& begin) {
  using Step = NotStarted::Step;
  const ProgramTerms& terms = begin.terms;
  const auto fail = [&begin](Step step, int os_errno) {
    begin.shared.failed = {step, os_errno};
    ::_exit(127);
  };
  if (const int failed = Prepare(terms); failed != 0) fail(Step::kLine, failed);
  if (::chdir(terms.directory.c_str()) != 0) fail(Step::kProgram, errno);
  if (terms.filter) {
    const int listener = terms.filter();
    if (listener < 0) fail(Step::kFilter, -listener);
    begin.shared.listener = listener;
  }
  // The descriptors were common so far, which is how the listener got out of here.
  if (::syscall(SYS_close_range, 3, UINT_MAX, CLOSE_RANGE_UNSHARE) != 0) fail(Step::kLine, errno);
  fail(Step::kProgram, Execute(terms, begin.arguments, begin.environment));
  ::_exit(127);
}

int Enter(void* begin) { Become(*static_cast<const Beginning*>(begin)); }

// A page of its own, for a process whose memory is a copy.
class SharedPage {
 public:
  SharedPage()
      : page_(::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                     -1, 0)) {}
  ~SharedPage() {
    if (valid()) ::munmap(page_, sizeof(Shared));
  }
  SharedPage(const SharedPage&) = delete;
  SharedPage& operator=(const SharedPage&) = delete;
  bool valid() const { return page_ != MAP_FAILED; }
  // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): it goes with its page
  Shared& Make() { return *new (page_) Shared; }

 private:
  void* page_;
};

// Waits until the program runs or the process has ended; until then nothing it does is
// supervised, and nothing else runs here.
int StartIn(Beginning begin, int memory) {
  std::array<char, kStackBytes> stack;
  return ::clone(&Enter, stack.data() + stack.size(), CLONE_FILES | CLONE_VFORK | memory | SIGCHLD,
                 &begin);
}

}  // namespace

Result<StartedProgram> StartProgram(const ProgramTerms& terms, NotStarted& why) {
  const std::vector<char*> arguments = Pointers(terms.arguments);
  const std::vector<char*> environment = Pointers(terms.environment);
  Shared told;
  int process = -1;
  // Whoever offers itself for ending becomes traceable on the way, which the memory is or is not.
  if (terms.out_of_memory == ProgramTerms::OutOfMemory::kFirst) {
    SharedPage page;
    if (page.valid()) {
      Shared& shared = page.Make();
      process = StartIn({terms, arguments.data(), environment.data(), shared}, 0);
      told = shared;
    }
  } else {
    process = StartIn({terms, arguments.data(), environment.data(), told}, CLONE_VM);
  }
  if (process < 0) told.failed = {NotStarted::Step::kProcess, errno};
  StartedProgram started;
  started.process = process;
  if (told.listener > 0) started.listener.reset(told.listener);
  if (told.failed.os_errno == 0) return started;
  why = told.failed;
  if (process > 0) ::waitpid(process, nullptr, 0);
  return ErrorFromErrno("execve", why.os_errno);
}

}  // namespace cordon::platform
