// A request that was accepted and waits to be run.
#pragma once

#include <functional>
#include <stop_token>

namespace cordon::mcp {

// Accepting is quick and in order, running takes as long as it takes and may be
// concurrent. What it was accepted for is answered when `run` returns, except for a
// subscription, which goes on until `stop`.
struct Job {
  std::function<void()> run;
  std::function<void()> refuse;  // instead: answers that the server is too busy
  std::stop_source stop;         // when the client is gone, where that cancels
};

}  // namespace cordon::mcp
