// How much may go on at a time, of all users and of one: each takes a thread, and nobody all.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace cordon::serve {

// Thread safety: may run concurrently.
class Slots : public std::enable_shared_from_this<Slots> {
 public:
  struct Limits {
    std::size_t all = 0;
    std::size_t of_one_user = 0;
  };
  explicit Slots(Limits limits) : limits_(limits) {}

  // Null: there are too many already. Given back when it is dropped.
  std::shared_ptr<void> Take(const std::string& user) {
    const std::lock_guard lock(mutex_);
    std::size_t& own = users_[user];
    if (all_ >= limits_.all || own >= limits_.of_one_user) return nullptr;
    ++all_;
    ++own;
    return {this, [self = shared_from_this(), user](void*) { self->Give(user); }};
  }

 private:
  void Give(const std::string& user) {
    const std::lock_guard lock(mutex_);
    --all_;
    const auto own = users_.find(user);
    if (--own->second == 0) users_.erase(own);
  }

  const Limits limits_;
  std::mutex mutex_;
  std::size_t all_ = 0;
  std::map<std::string, std::size_t> users_;
};

}  // namespace cordon::serve
