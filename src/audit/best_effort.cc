#include "audit/best_effort.h"

#include <utility>

#include "audit/deferral.h"

namespace cordon::audit {

BestEffort::BestEffort(std::shared_ptr<Recorder> next, std::function<void(const std::string&)> warn)
    : next_(std::move(next)), warn_(std::move(warn)) {}

Result<std::uint64_t> BestEffort::Append(const Record& record, Durability durability) {
  const Deferral::Pause at_once;  // what fails must be seen here
  const std::lock_guard lock(mutex_);
  if (lost_ > 0) {
    Record gap;
    gap.event = Event::kLogGap;
    gap.session = record.session;
    gap.actor = record.actor;
    gap.lost = lost_;
    if (!next_->Append(gap, Durability::kWithKernel)) {
      ++lost_;
      return std::uint64_t{0};
    }
    lost_ = 0;
  }
  Result<std::uint64_t> appended = next_->Append(record, durability);
  if (appended) return appended;
  ++lost_;
  // The detail says that something was refused, which is not so here.
  const std::string& detail = appended.error().detail;
  warn_(detail.substr(0, detail.find(", so the operation")) +
        "; what is done meanwhile is not recorded");
  return std::uint64_t{0};
}

}  // namespace cordon::audit
