#include "mcp_tools/memory_budget.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace cordon::mcp_tools {
namespace {

constexpr std::uint64_t kFree = std::uint64_t{256} << 10;

Error Refused(ErrorCode code, std::string detail) {
  Error error;
  error.code = code;
  error.op = "read";
  error.detail = std::move(detail);
  return error;
}

}  // namespace

struct MemoryBudget::State {
  explicit State(Limits given) : limits(given), left(given.bytes) {}

  const Limits limits;
  std::mutex mutex;
  std::condition_variable_any changed;
  std::size_t left;
  std::size_t waiting = 0;
};

MemoryBudget::MemoryBudget(Limits limits) : state_(std::make_shared<State>(limits)) {}

Result<MemoryBudget::Share> MemoryBudget::Take(std::uint64_t bytes, const std::stop_token& stop,
                                               Waiting waiting) {
  if (bytes <= kFree) return Share();
  const auto wanted =
      static_cast<std::size_t>(std::min<std::uint64_t>(bytes, state_->limits.bytes));
  std::unique_lock lock(state_->mutex);
  const auto fits = [&] { return state_->left >= wanted; };
  if (!fits()) {
    if (waiting == Waiting::kNever || state_->waiting >= state_->limits.waiting) {
      return Refused(ErrorCode::kLimitExceeded,
                     "the server works on too many large files at a time; try again");
    }
    ++state_->waiting;
    const bool got = state_->changed.wait_for(lock, stop, state_->limits.patience, fits);
    --state_->waiting;
    if (!got && stop.stop_requested()) return Refused(ErrorCode::kTimeout, "cancelled");
    if (!got) {
      return Refused(ErrorCode::kLimitExceeded,
                     "the server works on too many large files for too long; try again");
    }
  }
  state_->left -= wanted;
  // Not a pointer to anything: what counts is that the last copy runs this.
  return Share(state_.get(), [state = state_, wanted](void*) {
    const std::lock_guard giving(state->mutex);
    state->left += wanted;
    state->changed.notify_all();
  });
}

}  // namespace cordon::mcp_tools
