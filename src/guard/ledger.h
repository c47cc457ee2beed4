// Puts what happens in one session into the audit log.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string_view>

#include "audit/recorder.h"
#include "consent/question.h"
#include "cordon/result.h"
#include "guard/act.h"
#include "guard/command.h"

namespace cordon::guard {

struct Session;

// Every error it returns means "not recorded": what was to be recorded must not
// happen, or not be told.
// Thread safety: every method may run concurrently.
class Ledger {
 public:
  using Clock = std::chrono::steady_clock;

  // `session` must outlive it.
  Ledger(std::shared_ptr<audit::Recorder> recorder, const Session& session,
         audit::Protection protection);

  Status Started() const;
  void Ended() const;

  // An act that only tells something, done and about to be told.
  Status Told(const Act& act, const Grounds& grounds, Clock::time_point since) const;

  // An act with an effect, before it; gives the number End needs.
  Result<std::uint64_t> Begin(const Act& act, const Grounds& grounds) const;
  // The same, after it. `error` is null when it was done.
  Status End(const Act& act, const Grounds& grounds, std::uint64_t begun, const Error* error,
             Clock::time_point since) const;

  // An act that did not happen. Gives the error to be told: `error` itself, or that
  // it could not be recorded. On the disk when it returns if it crossed the line.
  Error Refused(const Act& act, const Grounds& grounds, Error error, Clock::time_point since) const;

  // What a command tried while it ran. On the disk when it returns.
  Status Violated(const Act& act, const sandbox::Refused& refused) const;
  Status Connected(const Act& act, const Connection& connection) const;

  Status Asked(const Act& act, const consent::Question& question) const;
  // On the disk when it returns.
  Status Decided(const Act& act, const consent::Question& question, const consent::Answer& answer,
                 Clock::time_point since) const;

 private:
  audit::Record Base(const Act& act, const Grounds& grounds) const;
  audit::Record SessionRecord(audit::Event event) const;

  std::shared_ptr<audit::Recorder> recorder_;
  const Session& session_;
  audit::Protection protection_;
};

}  // namespace cordon::guard
