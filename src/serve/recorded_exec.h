// Programs that clients start in sandboxes: none without a record of it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "audit/recorder.h"
#include "provision/sandboxes.h"
#include "serve/call.h"
#include "serve/json_body.h"

namespace cordon::serve {

// {"command" or "arguments", "environment", "directory"}; errors are left in `body`.
provision::ExecTerms ReadProgram(JsonBody& body);
std::string_view WhyName(provision::ExecEnd::Why why);  // "exited", "timeout", …

// Guarantees: recorded before it starts and after it has ended; the sandbox is in use
//   meanwhile.
// Thread safety: as provision::Exec.
class RecordedExec {
 public:
  // Errors: the driver's; kIoError with rule "audit" when it cannot be recorded.
  static Result<std::unique_ptr<RecordedExec>> Start(std::shared_ptr<audit::Recorder> recorder,
                                                     provision::Sandboxes::Lease lease,
                                                     const provision::ExecTerms& terms,
                                                     const Caller& caller);
  ~RecordedExec();
  RecordedExec(const RecordedExec&) = delete;
  RecordedExec& operator=(const RecordedExec&) = delete;

  provision::Exec& exec() { return *exec_; }
  // After the streams have ended.
  Result<provision::ExecEnd> Wait();

 private:
  explicit RecordedExec(provision::Sandboxes::Lease lease) : lease_(std::move(lease)) {}
  audit::Record Entry() const;
  Status Ended(const provision::ExecEnd* end);

  std::shared_ptr<audit::Recorder> recorder_;
  const provision::Sandboxes::Lease lease_;
  std::string shown_, directory_, user_, token_;
  std::uint64_t begun_ = 0;
  bool over_ = false;
  std::unique_ptr<provision::Exec> exec_;
};

}  // namespace cordon::serve
