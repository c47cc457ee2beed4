#include "net/egress_lookup.h"

#include <boost/asio/post.hpp>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace cordon::net {
namespace {

namespace asio = boost::asio;

Error NotLookedUp(ErrorCode code, std::string detail) {
  Error error;
  error.code = code;
  error.op = "resolve";
  error.detail = std::move(detail);
  return error;
}

}  // namespace

struct EgressLookup::State {
  struct Job {
    std::string name;
    Done done;
  };

  // With the lock held, so that the other side is there.
  void Tell(Done done, EgressWorld::Addresses addresses) {
    if (io == nullptr) return;
    asio::post(*io,
               [done = std::move(done), addresses = std::move(addresses)] { done(addresses); });
  }
  EgressWorld::Addresses Resolve(const std::string& name) const;
  void Run();

  std::function<EgressWorld::Addresses(const std::string& name)> resolve;
  Limits limits = {};
  std::mutex mutex;
  asio::io_context* io = nullptr;  // nothing after the end
  std::deque<Job> waiting;
  std::size_t threads = 0;
};

EgressWorld::Addresses EgressLookup::State::Resolve(const std::string& name) const {
  try {
    return resolve(name);
  } catch (...) {
    return NotLookedUp(ErrorCode::kIoError, "the name could not be looked up");
  }
}

void EgressLookup::State::Run() {
  std::unique_lock lock(mutex);
  while (!waiting.empty()) {
    Job job = std::move(waiting.front());
    waiting.pop_front();
    lock.unlock();
    EgressWorld::Addresses addresses = Resolve(job.name);
    lock.lock();
    try {
      Tell(std::move(job.done), std::move(addresses));
    } catch (...) {  // no memory: who asked stops waiting by itself
      continue;
    }
  }
  --threads;
}

EgressLookup::EgressLookup(asio::io_context& io, const EgressWorld& world, Limits limits)
    : state_(std::make_shared<State>()) {
  state_->resolve = world.resolve;
  state_->limits = limits;
  state_->io = &io;
}

EgressLookup::~EgressLookup() {
  const std::lock_guard lock(state_->mutex);
  state_->io = nullptr;
  state_->waiting.clear();
}

void EgressLookup::Ask(const std::string& name, Done done) {
  const std::lock_guard lock(state_->mutex);
  const bool another = state_->threads < state_->limits.threads;
  if (!another && state_->waiting.size() >= state_->limits.waiting) {
    return state_->Tell(std::move(done), NotLookedUp(ErrorCode::kLimitExceeded,
                                                     "too many names are being looked up"));
  }
  state_->waiting.push_back({name, std::move(done)});
  if (!another) return;
  try {
    std::thread([state = state_] { state->Run(); }).detach();
    ++state_->threads;
  } catch (const std::system_error&) {
    if (state_->threads > 0) return;  // those that there are come to it
    State::Job job = std::move(state_->waiting.back());
    state_->waiting.pop_back();
    state_->Tell(std::move(job.done), NotLookedUp(ErrorCode::kLimitExceeded, "no thread left"));
  }
}

}  // namespace cordon::net
