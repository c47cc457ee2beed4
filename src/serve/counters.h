// What the server has done so far, for /metrics.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace cordon::serve {

// Thread safety: everything may run concurrently.
struct Counters {
  std::array<std::atomic<std::uint64_t>, 6> answers{};  // by the first digit of the status
  std::atomic<std::uint64_t> refused{0};                // that passed no gate
  std::atomic<std::uint64_t> busy{0};                   // for which no thread was free
  std::atomic<std::uint64_t> execs{0};
  std::atomic<std::uint64_t> tool_calls{0};
  std::atomic<std::int64_t> streams{0};  // open now

  void Count(std::uint16_t status) { ++answers[status / 100 < 6 ? status / 100 : 0]; }
};

}  // namespace cordon::serve
