// How much memory large files and large answers may take while they are made.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>

#include "cordon/result.h"

namespace cordon::mcp_tools {

// One for a whole server. What is small is free.
// Guarantees: nobody waits for a client here: whoever has a share is at work with it, and gives
//   it back before the answer is sent. So waiting is short, and bounded in any case; only a
//   part of the threads there are may wait.
// Thread safety: everything may run concurrently. Shares may outlive it.
class MemoryBudget {
 public:
  struct Limits {
    std::size_t bytes = std::size_t{512} << 20;
    std::size_t waiting = 32;  // more are refused at once
    std::chrono::milliseconds patience{10'000};
  };
  explicit MemoryBudget(Limits limits);

  using Share = std::shared_ptr<void>;  // gives back what it stands for when it is dropped
  // kNever: for who has a share already, and would keep others waiting meanwhile.
  enum class Waiting { kMay, kNever };
  // What alone is more than there is, is taken for all there is.
  // Errors: kLimitExceeded, kTimeout when stopped.
  Result<Share> Take(std::uint64_t bytes, const std::stop_token& stop, Waiting waiting);

 private:
  struct State;
  const std::shared_ptr<State> state_;
};

}  // namespace cordon::mcp_tools
