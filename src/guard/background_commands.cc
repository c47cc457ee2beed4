#include "guard/background_commands.h"

#include <charconv>
#include <utility>

namespace cordon::guard {
namespace {

constexpr std::string_view kPrefix = "command-";

std::chrono::milliseconds Since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                               start);
}

}  // namespace

BackgroundCommand::BackgroundCommand(std::string shown, std::unique_ptr<CapturedOutput> output,
                                     std::unique_ptr<RunningCommand> running)
    : shown_(std::move(shown)), output_(std::move(output)), running_(std::move(running)) {
  waiting_ = std::jthread([this] {
    Result<CommandOutcome> outcome = running_->Wait();
    output_->Finish();
    const std::lock_guard lock(mutex_);
    took_ = Since(since_);
    ended_ = std::move(outcome);
    changed_.notify_all();
  });
}

BackgroundCommand::~BackgroundCommand() {
  running_->Kill();
  waiting_.join();
}

std::optional<Result<CommandOutcome>> BackgroundCommand::ended() const {
  const std::lock_guard lock(mutex_);
  return ended_;
}

bool BackgroundCommand::WaitFor(std::chrono::milliseconds time, const std::stop_token& stop) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, stop, time, [this] { return ended_.has_value(); });
}

std::chrono::milliseconds BackgroundCommand::duration() const {
  const std::lock_guard lock(mutex_);
  return ended_ ? took_ : Since(since_);
}

Result<std::string> BackgroundCommands::Add(std::shared_ptr<BackgroundCommand> command) {
  std::shared_ptr<BackgroundCommand> forgotten;  // ended outside the lock
  const std::lock_guard lock(mutex_);
  if (commands_.size() >= kMost) {
    auto oldest = commands_.begin();
    while (oldest != commands_.end() && !oldest->second->ended()) ++oldest;
    if (oldest == commands_.end()) {
      Error error;
      error.code = ErrorCode::kLimitExceeded;
      error.op = "run";
      error.detail = "too many commands run in the background; stop one first";
      return error;
    }
    forgotten = std::move(oldest->second);
    commands_.erase(oldest);
  }
  const std::uint64_t number = next_++;
  commands_.emplace(number, std::move(command));
  return std::string(kPrefix) + std::to_string(number);
}

std::shared_ptr<BackgroundCommand> BackgroundCommands::Find(std::string_view handle) const {
  if (!handle.starts_with(kPrefix)) return nullptr;
  handle.remove_prefix(kPrefix.size());
  std::uint64_t number = 0;
  const auto [end, failed] = std::from_chars(handle.data(), handle.data() + handle.size(), number);
  if (failed != std::errc() || end != handle.data() + handle.size()) return nullptr;
  const std::lock_guard lock(mutex_);
  const auto found = commands_.find(number);
  return found == commands_.end() ? nullptr : found->second;
}

std::vector<std::string> BackgroundCommands::handles() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> handles;
  for (const auto& [number, command] : commands_) {
    handles.push_back(std::string(kPrefix) + std::to_string(number));
  }
  return handles;
}

}  // namespace cordon::guard
