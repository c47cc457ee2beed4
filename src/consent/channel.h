// One way to reach a person.
#pragma once

#include <chrono>
#include <stop_token>
#include <string_view>

#include "consent/question.h"
#include "cordon/result.h"

namespace cordon::consent {

using Deadline = std::chrono::steady_clock::time_point;

// Implementations show every text so that it cannot be taken for the prompt itself:
// control characters, bidirectional overrides and invalid bytes escaped.
// Thread safety: the Desk calls Ask from one thread at a time.
class Channel {
 public:
  virtual ~Channel() = default;
  virtual std::string_view name() const = 0;  // static text: "tty"

  // Whether a person can be asked this way now. Cheap, and may change.
  virtual bool available() const = 0;

  // Asks and waits. Never returns a choice that the question does not offer.
  // Errors: kConsentUnavailable (the channel is gone or broken), kTimeout (nobody
  //   answered until `deadline`), kConsentDenied with rule "withdrawn" (`stop` was
  //   requested). The caller takes every error for a denial.
  virtual Result<Choice> Ask(const Question& question, Deadline deadline,
                             const std::stop_token& stop) = 0;

  // For a channel of one call: a question is open that only a later call can answer. From
  // then on the guard does nothing of this one, but lets it go on, so that all that must
  // be asked is: a change is asked about and then reported as done. Whoever made the
  // channel must not tell anybody what the call gives.
  virtual bool deferred() const { return false; }
};

}  // namespace cordon::consent
