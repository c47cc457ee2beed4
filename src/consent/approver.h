// The person's side of the approval sockets: every question in one directory.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "consent/question.h"
#include "consent/wire.h"
#include "cordon/result.h"

namespace cordon::consent {

// Attaches to every socket in the directory, notices new and vanished ones within a
// fifth of a second, and removes those of dead processes. Has one thread of its own.
// Only processes of our own user are listened to.
class Approver {
 public:
  // A question that opens, one that is over, an answer that did not count. Each question
  // is told once, and its end once, under an id of the Approver's own that never repeats:
  // askers make up theirs, and two may use the same. Called on the Approver's thread, one at a
  // time; must not wait.
  using Sink = std::function<void(const ToPerson&)>;

  // `directory` is absolute, and may appear later.
  // Errors: kPermissionDenied when it is not ours alone; kIoError.
  static Result<std::unique_ptr<Approver>> Attach(const std::string& directory, Sink sink);
  ~Approver();
  Approver(const Approver&) = delete;
  Approver& operator=(const Approver&) = delete;

  // Reaches who asked the question with this id, nobody else. What became of it is told to
  // the sink: Settled, or Ignored. May run concurrently.
  void Answer(const GivenAnswer& answer);

 private:
  class Impl;
  explicit Approver(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace cordon::consent
