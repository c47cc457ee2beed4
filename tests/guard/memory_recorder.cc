#include "tests/guard/memory_recorder.h"

namespace cordon::testing {

Result<std::uint64_t> MemoryRecorder::Append(const audit::Record& record,
                                             audit::Durability durability) {
  const std::lock_guard lock(mutex_);
  if (left_ == 0) {
    Error error;
    error.code = ErrorCode::kIoError;
    error.op = "append";
    error.rule = "audit";
    error.detail = "the log cannot be written";
    return error;
  }
  if (left_ > 0) --left_;
  const std::uint64_t seq = records_.size() + 1;
  records_.push_back(
      {record.event, record.phase, seq, record.begun, std::string(record.tool),
       std::string(record.asked), std::string(record.resolved), std::string(record.target),
       std::string(record.rule), std::string(record.choice), std::string(record.channel),
       std::string(record.question), record.decision, record.error, durability, record.protection});
  return seq;
}

std::vector<Remembered> MemoryRecorder::records() const {
  const std::lock_guard lock(mutex_);
  return records_;
}

}  // namespace cordon::testing
