// Records of what is told only later, in answers that leave together: one write for all.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "audit/record.h"
#include "cordon/result.h"

namespace cordon::audit {

// A record on its way into the log. Must not outlive the log.
// Thread safety: one thread at a time, not always the same.
class Receipt {
 public:
  virtual ~Receipt() = default;  // awaits it: what was deferred is not lost
  // Returns when it is with the kernel, and everything that was appended or deferred before
  // it; writes all of these itself if nobody else does.
  // Errors: those of Recorder::Append; what the record speaks of must not be told then.
  virtual Status Await() = 0;
};

// While one lives, a Log only queues what its thread appends of files that were read, and
// gives the number 0 for it. Whoever made it tells nothing of what was read before the
// receipts have been awaited. Everything else is appended as ever, behind what was queued.
// By thread, so that what lies between the caller and the log need not know of it.
class Deferral {
 public:
  Deferral();  // one at a time
  ~Deferral();
  Deferral(const Deferral&) = delete;
  Deferral& operator=(const Deferral&) = delete;

  std::vector<std::unique_ptr<Receipt>> Take() { return std::move(receipts_); }

  // For a recorder that must know at once whether another one has failed: as if there were none.
  class Pause;

  // For the log: where the receipt of a record goes; null if it must be written at once.
  static Deferral* For(const Record& record);
  void Add(std::unique_ptr<Receipt> receipt) { receipts_.push_back(std::move(receipt)); }

 private:
  std::vector<std::unique_ptr<Receipt>> receipts_;
};

class Deferral::Pause {
 public:
  Pause();
  ~Pause();
  Pause(const Pause&) = delete;
  Pause& operator=(const Pause&) = delete;

 private:
  Deferral* const paused_;
};

}  // namespace cordon::audit
