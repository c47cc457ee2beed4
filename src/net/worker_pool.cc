#include "net/worker_pool.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <list>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace cordon::net {
namespace {

constexpr std::chrono::seconds kIdle{10};  // before a thread goes

}  // namespace

struct WorkerPool::State {
  using Threads = std::list<std::thread>;

  void Run(Threads::iterator self);
  void StartThread();  // if there may be another; with the lock held

  Limits limits;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> waiting;
  Threads threads;       // that work or wait for work
  Threads finished;      // to be joined, which takes no time
  std::size_t idle = 0;  // those just started among them
  bool closing = false;
};

void WorkerPool::State::Run(Threads::iterator self) {
  std::unique_lock lock(mutex);
  for (;;) {
    changed.wait_for(lock, kIdle, [this] { return closing || !waiting.empty(); });
    --idle;
    if (closing || waiting.empty()) break;
    std::function<void()> work = std::move(waiting.front());
    waiting.pop_front();
    lock.unlock();
    work();
    work = nullptr;  // what it holds is dropped without the lock
    lock.lock();
    ++idle;
  }
  finished.splice(finished.end(), threads, self);
  changed.notify_all();
}

void WorkerPool::State::StartThread() {
  if (closing || threads.size() >= limits.threads) return;
  const auto place = threads.emplace(threads.end());
  try {
    *place = std::thread([this, place] { Run(place); });
    ++idle;
  } catch (const std::system_error&) {  // none to be had: those that there are come to it
    threads.erase(place);
  }
}

WorkerPool::WorkerPool(Limits limits) : state_(std::make_unique<State>()) {
  state_->limits = limits;
}

WorkerPool::~WorkerPool() {
  std::deque<std::function<void()>> dropped;
  std::unique_lock lock(state_->mutex);
  state_->closing = true;
  dropped.swap(state_->waiting);
  state_->changed.notify_all();
  state_->changed.wait(lock, [this] { return state_->threads.empty(); });
  State::Threads finished = std::move(state_->finished);
  lock.unlock();
  for (std::thread& thread : finished) thread.join();
}

bool WorkerPool::Submit(std::function<void()> work) {
  State::Threads finished;
  std::unique_lock lock(state_->mutex);
  finished.swap(state_->finished);
  if (state_->waiting.size() >= state_->idle) state_->StartThread();
  const bool taken = !state_->closing && !state_->threads.empty() &&
                     state_->waiting.size() < state_->idle + state_->limits.waiting;
  if (taken) state_->waiting.push_back(std::move(work));
  if (taken) state_->changed.notify_one();
  lock.unlock();
  for (std::thread& thread : finished) thread.join();
  return taken;
}

}  // namespace cordon::net
