// Where questions wait their turn.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "consent/channel.h"
#include "consent/question.h"

namespace cordon::consent {

inline constexpr std::chrono::seconds kDefaultPatience{300};

// Guarantees: one question at a time is before a person, first come first asked;
//   questions that are identical while one of them waits are asked once and get
//   the same answer; whatever goes wrong is a denial.
// Thread safety: Ask may run concurrently.
class Desk {
 public:
  // Channels in order of preference: the first that is available is used, the next
  // one if it fails. `patience` counts from when a question is put to the person.
  explicit Desk(std::vector<std::shared_ptr<Channel>> channels,
                std::chrono::milliseconds patience = kDefaultPatience);
  ~Desk();
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;

  // Whether there is anybody to ask now.
  bool reachable() const;

  // Waits for the answer. `settled` is asked just before the question is put: when it
  // gives a choice, an earlier answer has made the question moot and nobody is asked.
  // A stop request answers with a denial at once.
  // `own`: the way to the person through whoever asks; may be null. If it is available it
  // is asked first and out of turn, with nobody else's question; only if it fails with
  // kConsentUnavailable does the question go where all go.
  Answer Ask(Question question, const std::function<std::optional<Choice>()>& settled,
             const std::stop_token& stop = {}, Channel* own = nullptr);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cordon::consent
