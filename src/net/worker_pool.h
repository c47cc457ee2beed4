// Threads for work that waits.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace cordon::net {

// Threads come when they are needed, up to a limit, and go when they are idle.
// Thread safety: Submit may run concurrently.
class WorkerPool {
 public:
  struct Limits {
    std::size_t threads = 256;  // most of them wait
    std::size_t waiting = 1024;
  };
  explicit WorkerPool(Limits limits);
  ~WorkerPool();  // runs what has begun to its end; what waits is dropped
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // False when too many wait already. `work` must not throw.
  bool Submit(std::function<void()> work);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cordon::net
