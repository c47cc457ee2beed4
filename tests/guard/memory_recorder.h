// An audit log in memory, that can be made to fail.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "audit/recorder.h"

namespace cordon::testing {

// The fields tests ask about, owned.
struct Remembered {
  audit::Event event;
  audit::Phase phase;
  std::uint64_t seq, begun;
  std::string tool, asked, resolved, target, rule, choice, channel, question;
  audit::Decision decision;
  std::optional<ErrorCode> error;
  audit::Durability durability;
  audit::Protection protection;
};

class MemoryRecorder : public audit::Recorder {
 public:
  Result<std::uint64_t> Append(const audit::Record& record, audit::Durability durability) override;
  std::vector<Remembered> records() const;
  // From the next record on; `good` more records still succeed.
  void FailAfter(int good) { left_ = good; }

 private:
  mutable std::mutex mutex_;
  std::vector<Remembered> records_;
  std::atomic<int> left_{-1};
};

}  // namespace cordon::testing
