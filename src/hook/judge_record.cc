// What a Judge answers that is not "no opinion": written down first.
#include <utility>

#include "base/printable.h"
#include "hook/judge.h"

namespace cordon::hook {
namespace {

using guard::Act;
using guard::Way;

constexpr std::string_view kNotRecorded =
    " (It could not be written to the audit log; tell the user.)";

}  // namespace

audit::Record Judge::RecordOf(std::string_view asked, std::string_view rule) const {
  constexpr std::size_t kLongestRecorded = 64u << 10;
  audit::Record record;
  record.session = session_.id;
  record.actor = session_.actor;
  record.tool = event_.tool;
  record.asked = asked.substr(0, kLongestRecorded);
  record.rule = rule;
  record.tier = audit::Tier::kPolicy;
  return record;
}

// Unlike a Guard's, every error is a refusal here: nothing was tried.
Verdict Judge::Refused(const Act& act, const Error& error, std::string_view advice) {
  audit::Record record = RecordOf(act.asked, error.rule);
  record.event = error.security_violation() ? audit::Event::kSandboxViolation : act.event;
  record.operation = act.operation;
  record.decision = audit::Decision::kDenied;
  record.error = error.code;
  record.violation = error.violation;
  const auto recorded = parts_.recorder->Append(record, audit::Durability::kOnDisk);
  std::string reason = "Cordon refuses to ";
  reason += OperationName(act.operation);
  reason += " this. ";
  reason += error.Message(act.asked);
  reason += ". ";
  reason += advice.empty() ? error.AiMessage() : std::string(advice);
  if (!recorded) reason += kNotRecorded;
  return {Answer::kDeny, std::move(reason)};
}

Verdict Judge::AskAbout(const Act& act, const Way& way) {
  const Asking asking = AskingAt(event_);
  if (asking == Asking::kElsewhere) return {};
  if (asking == Asking::kImpossible) {
    Error error;
    error.code = ErrorCode::kConsentUnavailable;
    error.op = "hook";
    error.rule = "boundary";
    error.detail =
        "outside the workspace, which needs a person's consent, and this agent's hooks "
        "cannot ask for it";
    return Refused(act, error);
  }
  consent::Question question;
  question.reason = consent::Reason::kOutside;
  question.path = way.resolved();
  if (const Status recorded = ledger_.Asked(act, question); !recorded) {
    return {Answer::kDeny, "Cordon: a person must be asked about " + Quoted(act.asked) +
                               ", and that could not be recorded. Tell the user."};
  }
  return {Answer::kAsk, "Cordon: " + Quoted(act.asked) + " is outside the workspace; to " +
                            std::string(OperationName(act.operation)) +
                            " it needs your consent (rule boundary)."};
}

Verdict Judge::Whole(Answer answer, std::string_view asked, std::string_view rule,
                     std::string reason) {
  if (answer == Answer::kAsk) {
    const Asking asking = AskingAt(event_);
    if (asking == Asking::kElsewhere) return {};
    if (asking == Asking::kImpossible) {
      answer = Answer::kDeny;
      reason += " This agent's hooks cannot ask, so it is refused; ask the user to do it.";
    }
  }
  audit::Record record = RecordOf(asked, rule);
  record.event = answer == Answer::kAsk ? audit::Event::kConsentAsked : audit::Event::kCommandExec;
  record.decision = answer == Answer::kAsk ? audit::Decision::kAsked : audit::Decision::kDenied;
  if (answer == Answer::kDeny) record.error = ErrorCode::kCommandBlocked;
  const auto recorded = parts_.recorder->Append(
      record, answer == Answer::kAsk ? audit::Durability::kWithKernel : audit::Durability::kOnDisk);
  if (!recorded) {
    reason += kNotRecorded;
    return {Answer::kDeny, std::move(reason)};
  }
  return {answer, std::move(reason)};
}

}  // namespace cordon::hook
