// The explicit alternative to failing closed: work goes on when the log cannot.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "audit/recorder.h"

namespace cordon::audit {

// Passes records on. When that fails it says so once through `warn`, counts what is
// lost, and puts a log.gap with the count before the next record that succeeds.
// Append never fails; a record that was lost has the number 0.
class BestEffort : public Recorder {
 public:
  BestEffort(std::shared_ptr<Recorder> next, std::function<void(const std::string&)> warn);
  Result<std::uint64_t> Append(const Record& record, Durability durability) override;

 private:
  std::shared_ptr<Recorder> next_;
  std::function<void(const std::string&)> warn_;
  std::mutex mutex_;
  std::uint64_t lost_ = 0;
};

}  // namespace cordon::audit
