// Lets threads that append at the same time share one write.
#pragma once

#include <cstdint>
#include <mutex>
#include <string_view>
#include <vector>

#include "audit/writer.h"
#include "cordon/result.h"

namespace cordon::audit {

// Of the threads that come while a batch is being written, one writes for all: the
// lock among processes and the system calls are paid once a batch.
// Thread safety: Append may run concurrently.
class Combiner {
 public:
  explicit Combiner(Writer& writer) : writer_(writer) {}
  // The record's number; the errors of Writer::Write.
  Result<std::uint64_t> Append(const Record& record);

 private:
  class Waiting;
  void Lead(Waiting& self);
  Status WriteBatch();

  Writer& writer_;
  std::mutex mutex_;
  std::vector<Waiting*> queue_;
  bool leading_ = false;
  // The leader's own.
  std::vector<Waiting*> taken_;
  std::vector<Submission*> batch_;
};

}  // namespace cordon::audit
