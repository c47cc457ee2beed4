#include "guard/guard_state.h"

namespace cordon::guard {
namespace {

audit::Protection ProtectionOf(const Boundary& boundary) {
  return boundary.settings().protection == policy::Protection::kOff ? audit::Protection::kOff
                                                                    : audit::Protection::kOn;
}

}  // namespace

bool IsStale(const Error& error) {
  return error.code == ErrorCode::kStaleFile && error.rule == "expected";
}

bool IsPutOff(const Act& act) {
  const Call& call = *act.call;
  return call.client != nullptr && call.undoing == nullptr && call.client->deferred();
}

Status PutOff(const Act& act, Error refused) {
  if (IsPutOff(act) && refused.code == ErrorCode::kConsentUnavailable) return {};
  return refused;
}

Error DoesNotHoldStill() {
  Error error;
  error.code = ErrorCode::kStaleFile;
  error.violation = Violation::kRace;
  error.op = "guard";
  error.rule = "expected";
  error.detail = "what was agreed to keeps being replaced by something else";
  return error;
}

Guard::State::State(Parts given)
    : parts(std::move(given)),
      ledger(parts.recorder, parts.session, ProtectionOf(parts.boundary)),
      admission(parts.boundary, parts.session, ledger, parts.desk.get()) {}

Result<std::optional<Way>> Guard::State::FindWay(const Act& act, Reach& reach, Look look,
                                                 const Admission::Extra& extra) {
  TRY_ASSIGN(Way way, admission.Find(act, act.asked, reach, look));
  if (way.needs == Way::Needs::kNothing) return std::optional<Way>(std::move(way));
  if (Status probed = admission.Probe(act, way, look); !probed) {
    if (reach == Reach::kOutside || !admission.LeadsOut(probed.error())) {
      return std::move(probed.error());
    }
    reach = Reach::kOutside;
    return std::optional<Way>();
  }
  TRY_ASSIGN(const bool agreed, admission.Ask(act, way, extra));
  if (!agreed) return std::optional<Way>();
  return std::optional<Way>(std::move(way));
}

Status Guard::State::Finish(const Act& act, const Grounds& grounds, std::uint64_t begun,
                            Status done, Ledger::Clock::time_point since) const {
  const Error* error = done ? nullptr : &done.error();
  if (Status recorded = ledger.End(act, grounds, begun, error, since); !recorded) {
    Error failure = std::move(recorded.error());
    if (done) failure.detail += "; it was done, but that could not be recorded";
    return failure;
  }
  return done;
}

}  // namespace cordon::guard
