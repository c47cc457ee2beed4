// Judges the system calls of a command that name files.
#pragma once

#include <memory>

#include "cordon/result.h"
#include "platform/unique_fd.h"
#include "sandbox/message.h"
#include "sandbox/spec.h"

namespace cordon::warden {

class Reporter {
 public:
  virtual ~Reporter() = default;
  virtual void Refused(const sandbox::Refused& refused) = 0;
  virtual void RefusedMore(const sandbox::RefusedMore& more) = 0;
  virtual void Ask(const sandbox::Ask& ask) = 0;
};

class Warden {
 public:
  static Result<std::unique_ptr<Warden>> Make(const sandbox::Spec& spec,
                                              platform::UniqueFd listener, Reporter& reporter);
  int descriptor() const;
  void Serve();
  void Answered(const sandbox::Answer& answer, platform::UniqueFd granted);
  void Finish();
};

}  // namespace cordon::warden
