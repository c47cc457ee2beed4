// Supervises a command: judges the calls in which it names files, and does them for it.
#pragma once

#include <memory>

#include "cordon/result.h"
#include "platform/unique_fd.h"
#include "sandbox/message.h"
#include "sandbox/spec.h"
#include "warden/judge.h"
#include "warden/refusals.h"

namespace cordon::warden {

// Runs in a process that sees the same files, as the same user and behind the same line,
// and that is an ancestor of all it supervises.
//
// Guarantees: no call is continued by the kernel with memory that the process can still
//   change; what cannot be judged is refused; Serve never waits for a process or a person.
// Does not guarantee: that a file has no second name from before (hard links).
// Thread safety: none; all methods are called by one thread, which has the process's umask
//   and working directory to itself.
class Warden {
 public:
  // Makes this process's memory its own (until it executes something), so children that
  // are to be supervised must execute first. `reporter` outlives the warden.
  // Errors: kInvalidArguments for the Spec; kUnsupported, kIoError.
  static Result<std::unique_ptr<Warden>> Make(const sandbox::Spec& spec, View view,
                                              platform::UniqueFd listener, Reporter& reporter);
  ~Warden();

  // Readable when a process has called: Serve, called then, answers one call. To be waited
  // at as it is, not through another descriptor: so the kernel goes from the process
  // to the warden and back without leaving the processor.
  int calls() const;
  void Serve();
  // Readable when it is time for Retry, which answers what had to wait; -1 while nothing has to.
  int clock() const;
  void Retry();
  // An Ask was answered. `granted` is used if the answer has no error.
  void Answered(const sandbox::Answer& answer, platform::UniqueFd granted);
  // Tells what is left to tell.
  void Finish();

 private:
  struct State;
  explicit Warden(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace cordon::warden
