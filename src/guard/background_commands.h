// Commands that go on while their caller does something else.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "cordon/result.h"
#include "guard/captured_output.h"
#include "guard/command.h"

namespace cordon::guard {

// A command with what it has printed so far.
// Thread safety: all methods may run concurrently.
class BackgroundCommand {
 public:
  BackgroundCommand(std::string shown, std::unique_ptr<CapturedOutput> output,
                    std::unique_ptr<RunningCommand> running);
  ~BackgroundCommand();  // ends it

  const std::string& shown() const { return shown_; }
  const CapturedOutput& output() const { return *output_; }
  // Unset while it runs.
  std::optional<Result<CommandOutcome>> ended() const;
  // True once it has ended.
  bool WaitFor(std::chrono::milliseconds time, const std::stop_token& stop) const;
  std::chrono::milliseconds duration() const;
  void Stop() { running_->Stop(); }

 private:
  std::string shown_;
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
  std::unique_ptr<CapturedOutput> output_;
  std::unique_ptr<RunningCommand> running_;
  mutable std::mutex mutex_;
  mutable std::condition_variable_any changed_;
  std::optional<Result<CommandOutcome>> ended_;
  std::chrono::milliseconds took_{0};
  std::jthread waiting_;
};

// The commands of one session, by handle.
class BackgroundCommands {
 public:
  static constexpr std::size_t kMost = 32;

  // Forgets the oldest that has ended when there are too many.
  // Errors: kLimitExceeded when as many run.
  Result<std::string> Add(std::shared_ptr<BackgroundCommand> command);
  // Null if there is none.
  std::shared_ptr<BackgroundCommand> Find(std::string_view handle) const;
  std::vector<std::string> handles() const;

 private:
  mutable std::mutex mutex_;
  std::uint64_t next_ = 1;
  std::map<std::uint64_t, std::shared_ptr<BackgroundCommand>> commands_;
};

}  // namespace cordon::guard
