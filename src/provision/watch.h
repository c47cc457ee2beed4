// The thread that looks after sandboxes, now and then and when one dies.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "provision/common.h"
#include "provision/health.h"

namespace cordon::provision {

// Where drivers tell of deaths. Taken note of, and no more: a driver's thread does not wait for
// what follows. It may outlive the watch, as a driver may.
struct DeathNotices {
  std::mutex mutex;
  std::condition_variable came;
  std::deque<SandboxId> ids;  // guarded by mutex
  bool stop = false;          // guarded by mutex
};

class Watch {
 public:
  Watch(Common& common, Health& health);
  ~Watch();  // ends the thread
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // Has the drivers tell of deaths; before anything is made or taken over.
  void Listen();
  void Start();
  // Those who have died so far.
  void AttendToDead();

 private:
  void Run();

  Common& common_;
  Health& health_;
  std::shared_ptr<DeathNotices> notices_ = std::make_shared<DeathNotices>();
  std::thread thread_;
};

}  // namespace cordon::provision
