// What the processes of a running command ask for that lies outside.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "guard/guard.h"
#include "platform/unique_fd.h"
#include "sandbox/message.h"

namespace cordon::guard {

// Guarantees: each question that was taken is answered, in the order they came, while the
//   command goes on, and is decided, asked and recorded as the same wish of a tool; a
//   descriptor is only ever that of a file.
// Thread safety: Add may be called from any thread; answers come from another one.
class CommandQuestions {
 public:
  struct Answers {
    // `granted` is invalid if something was done.
    std::function<void(std::uint64_t id, platform::UniqueFd granted)> give;
    // `refused` has no rule if there is nothing to tell: it only failed.
    std::function<void(std::uint64_t id, int os_errno, const sandbox::Refused& refused)> refuse;
  };
  CommandQuestions(Guard& guard, Call call, Answers answers);
  // Whoever still waits gets no answer: the command has ended.
  ~CommandQuestions();
  CommandQuestions(const CommandQuestions&) = delete;
  CommandQuestions& operator=(const CommandQuestions&) = delete;

  // False: too many wait.
  bool Add(const sandbox::Ask& ask);

 private:
  void Run(const std::stop_token& stop);
  void Answer(const sandbox::Ask& ask, const std::stop_token& stop);
  Result<platform::UniqueFd> Open(const Call& call, const sandbox::Ask& ask);
  Result<platform::UniqueFd> Do(const Call& call, const sandbox::Ask& ask);
  Status Change(const Call& call, const sandbox::Ask& ask);

  Guard& guard_;
  const Call call_;
  const Answers answers_;
  std::mutex mutex_;  // of the next two
  std::condition_variable_any came_;
  std::deque<sandbox::Ask> waiting_;
  std::jthread thread_;
};

}  // namespace cordon::guard
