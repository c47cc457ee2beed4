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

bool Guard::State::IsPutOff(const Act& act) const {
  const Call& call = *act.call;
  if (call.client == nullptr || call.undoing != nullptr || !call.client->deferred()) return false;
  const std::lock_guard lock(mutex);
  return !call.together || !changed.contains(call.together);
}

Status Guard::State::FindRoom(const Act& act) const {
  if (!parts.room || !act.change) return {};
  switch (*act.change) {
    case undo::Kind::kRemove:
    case undo::Kind::kRename: return {};
    case undo::Kind::kWrite:
    case undo::Kind::kAppend:
    case undo::Kind::kMakeDirectory:
    case undo::Kind::kMakeLink: break;
  }
  return parts.room(act.bytes.size());
}

Status Guard::State::PutOff(const Act& act, Error refused) const {
  if (refused.code == ErrorCode::kConsentUnavailable && IsPutOff(act)) return {};
  return refused;
}

void Guard::State::NoteChange(const Act& act) {
  if (act.call->client == nullptr || !act.call->together) return;
  const std::lock_guard lock(mutex);
  std::erase_if(changed, [](const auto& call) { return call.expired(); });
  changed.insert(act.call->together);
}

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
