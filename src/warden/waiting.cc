#include "warden/waiting.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>

#include "platform/file_io.h"

namespace cordon::warden {
namespace {

using platform::ActForProcess;
using platform::SyscallListener;

constexpr std::size_t kMostWaiting = 1024;
// For ends that are opened outside, which nobody tells of.
constexpr std::chrono::milliseconds kTryAgain{20};

}  // namespace

// The clock runs while something waits for it.
bool Waiting::HasRoom() {
  if (fifos_.size() + connects_.size() >= kMostWaiting) return false;
  if (!HasSome()) wake_up_.SetClock(kTryAgain);
  return true;
}

bool Waiting::AddConnect(std::uint64_t id, platform::UniqueFd socket, platform::UniqueFd object) {
  if (!HasRoom()) return false;
  connects_.push_back({id, std::move(socket), std::move(object)});
  return true;
}

bool Waiting::Settle(const Connect& connect) {
  if (!listener_.Waits(connect.id)) return true;
  const int result = connect.object.valid()
                         ? acts_.ConnectTo(connect.socket.get(), connect.object.get())
                         : ActForProcess::ConnectResult(connect.socket.get());
  if (result == -EINPROGRESS || (result == -EAGAIN && connect.object.valid())) return false;
  if (result < 0) {
    listener_.Fail(connect.id, -result);
  } else {
    listener_.Succeed(connect.id, 0);
  }
  return true;
}

bool Waiting::AddFifo(std::uint64_t id, platform::UniqueFd object, platform::UniqueFd reader,
                      const platform::OpenWish& wish) {
  if (!HasRoom()) return false;
  fifos_.push_back({id, std::move(object), std::move(reader), wish});
  return true;
}

bool Waiting::AddQuestion(std::uint64_t id, const Question& question) {
  if (questions_.size() >= kMostWaiting) {
    std::erase_if(questions_, [&](const auto& asked) { return !listener_.Waits(asked.first); });
    if (questions_.size() >= kMostWaiting) return false;
  }
  questions_.emplace(id, question);
  return true;
}

// Whether it need not wait any more.
bool Waiting::Settle(Fifo& fifo) {
  if (!listener_.Waits(fifo.id)) return true;
  const auto on_exec =
      fifo.wish.close_on_exec ? SyscallListener::OnExec::kClose : SyscallListener::OnExec::kKeep;
  if (fifo.reader.valid()) {
    if (!ActForProcess::HasOrHadWriter(fifo.reader.get())) return false;
  } else {
    auto opened = acts_.Reopen(fifo.object.get(), fifo.wish, ActForProcess::Wait::kNever);
    if (opened.os_errno == ENXIO) return false;
    if (opened.os_errno != 0) {
      listener_.Fail(fifo.id, opened.os_errno);
      return true;
    }
    fifo.reader = std::move(opened.fd);
  }
  (void)ActForProcess::ClearNonBlocking(fifo.reader.get());
  listener_.Give(fifo.id, fifo.reader.get(), on_exec);
  return true;
}

void Waiting::Retry() {
  // Once more after each success: one end's coming is what the other waits for.
  bool settled = true;
  while (settled && !fifos_.empty()) {
    settled = std::erase_if(fifos_, [&](Fifo& fifo) { return Settle(fifo); }) != 0;
  }
  std::erase_if(connects_, [&](const Connect& connect) { return Settle(connect); });
  if (!HasSome()) wake_up_.SetClock(std::chrono::milliseconds(0));
}

void Waiting::Grant(std::uint64_t id, const Question& question, const platform::UniqueFd& granted) {
  if (question.yes == Question::Yes::kDone) return listener_.Succeed(id, 0);
  if (!granted.valid()) return listener_.Fail(id, EACCES);
  if (question.yes == Question::Yes::kCut) {
    // Whoever has gone meanwhile changes nothing any more.
    if (!listener_.Waits(id)) return;
    const auto cut = platform::Truncate(granted.get(), static_cast<std::uint64_t>(question.size));
    return cut ? listener_.Succeed(id, 0) : listener_.Fail(id, cut.error().os_errno);
  }
  listener_.Give(id, granted.get(),
                 question.yes == Question::Yes::kGiveToClose ? SyscallListener::OnExec::kClose
                                                             : SyscallListener::OnExec::kKeep);
}

void Waiting::Answered(std::uint64_t id, const platform::UniqueFd& granted, int os_errno) {
  const auto question = questions_.find(id);
  if (question == questions_.end()) return;
  if (os_errno == 0) {
    Grant(id, question->second, granted);
  } else {
    listener_.Fail(id, os_errno);
  }
  questions_.erase(question);
}

}  // namespace cordon::warden
