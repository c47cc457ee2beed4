// Sandboxes being made, each in a thread of its own, by drivers that may be slow, fail, or hang.
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "net/worker_pool.h"
#include "provision/common.h"
#include "provision/endings.h"

namespace cordon::provision {

// Guarantees: what is made is ready in the store, or removed and marked as failed there, before
//   anybody is told.
// Thread safety: all methods may run concurrently.
class Making {
 public:
  Making(Common& common, Endings& endings);
  ~Making();  // waits for the drivers
  Making(const Making&) = delete;
  Making& operator=(const Making&) = delete;

  struct Job {
    store::Time deadline = 0;
    std::optional<Status> outcome;  // set once, when it is made, has failed, or is given up
  };
  // Begins to make what is pending in the store. Errors: kLimitExceeded when too many are being
  // made already; then it has been marked as failed.
  Result<std::shared_ptr<Job>> Start(const SandboxId& id, const Wish& wish,
                                     std::shared_ptr<Driver> driver);
  // Until it has an outcome.
  Status Wait(const std::shared_ptr<Job>& job);
  // As Wait, for one that may be in the making; no error if it is not.
  Status WaitFor(const SandboxId& id);
  // Until its driver is done with it, that is.
  bool IsUnderWay(const SandboxId& id) const;

  // Those whose time is up: marked, whoever waits is told, and the driver is asked to remove what
  // there is. What it makes of them nevertheless is removed when it has.
  void GiveUpOverdue();
  // Whoever waits is told; nothing new is begun.
  void Stop();

 private:
  void Run(const SandboxId& id, const Wish& wish, Driver& driver, Job& job);
  Status Make(const SandboxId& id, const Wish& wish, Driver& driver);
  Status Record(const SandboxId& id, const Wish& wish, Driver& driver, const Facts& facts);
  Status Fail(const SandboxId& id, Error error);
  bool IsWanted(const Job& job) const;
  void Tell(Job& job, Status outcome);

  Common& common_;
  Endings& endings_;
  mutable std::mutex mutex_;
  std::condition_variable told_;
  std::map<SandboxId, std::shared_ptr<Job>> jobs_;  // guarded by mutex_, what they hold too
  bool stopped_ = false;                            // guarded by mutex_
  std::unique_ptr<net::WorkerPool> workers_;
};

}  // namespace cordon::provision
