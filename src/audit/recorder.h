// Where records go.
#pragma once

#include <cstdint>

#include "audit/record.h"
#include "cordon/result.h"

namespace cordon::audit {

// When Append may return.
enum class Durability {
  kWithKernel,  // killing any process loses nothing; on the disk soon after
  kOnDisk,      // losing power loses nothing
};

// Thread safety: Append may run concurrently.
class Recorder {
 public:
  virtual ~Recorder() = default;

  // The record's number. An error means that nothing was recorded, and that what
  // the record speaks of must not be reported, or happen.
  // Errors: kIoError, rule "audit".
  virtual Result<std::uint64_t> Append(const Record& record, Durability durability) = 0;
};

}  // namespace cordon::audit
