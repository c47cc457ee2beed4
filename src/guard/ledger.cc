#include "guard/ledger.h"

#include <utility>

#include "base/try.h"
#include "guard/guard.h"

namespace cordon::guard {
namespace {

using audit::Durability;
using audit::Record;

// What is longer is no path, and is refused as that; its beginning is enough to tell.
constexpr std::size_t kLongestRecorded = 64u << 10;

std::int64_t NanosecondsSince(Ledger::Clock::time_point since) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Ledger::Clock::now() - since).count();
}

bool IsConsentError(ErrorCode code) {
  return code == ErrorCode::kConsentDenied || code == ErrorCode::kConsentUnavailable;
}

}  // namespace

Ledger::Ledger(std::shared_ptr<audit::Recorder> recorder, const Session& session,
               audit::Protection protection)
    : recorder_(std::move(recorder)), session_(session), protection_(protection) {}

Record Ledger::SessionRecord(audit::Event event) const {
  Record record;
  record.event = event;
  record.session = session_.id;
  record.conversation = session_.conversation;
  record.sandbox = session_.sandbox;
  record.actor = session_.actor;
  record.protection = protection_;
  return record;
}

Record Ledger::Base(const Act& act, const Grounds& grounds) const {
  Record record = SessionRecord(act.event);
  record.tool = act.call->tool;
  record.operation = act.operation;
  record.asked = act.asked.substr(0, kLongestRecorded);
  record.target = act.target.substr(0, kLongestRecorded);
  record.resolved = grounds.resolved;
  record.rule = grounds.rule;
  record.tier = grounds.tier;
  return record;
}

Status Ledger::Started() const {
  TRY(recorder_->Append(SessionRecord(audit::Event::kSessionStarted), Durability::kWithKernel));
  if (protection_ == audit::Protection::kOff) {
    TRY(recorder_->Append(SessionRecord(audit::Event::kSandboxDisabled), Durability::kOnDisk));
  }
  return {};
}

void Ledger::Ended() const {
  // Nothing depends on it any more, and nobody is left to be told.
  static_cast<void>(
      recorder_->Append(SessionRecord(audit::Event::kSessionEnded), Durability::kWithKernel));
}

Status Ledger::Told(const Act& act, const Grounds& grounds, Clock::time_point since) const {
  Record record = Base(act, grounds);
  record.decision = audit::Decision::kAllowed;
  record.duration_ns = NanosecondsSince(since);
  TRY(recorder_->Append(record, Durability::kWithKernel));
  return {};
}

Result<std::uint64_t> Ledger::Begin(const Act& act, const Grounds& grounds) const {
  Record record = Base(act, grounds);
  record.phase = audit::Phase::kBegin;
  record.decision = audit::Decision::kAllowed;
  return recorder_->Append(record, Durability::kWithKernel);
}

Status Ledger::End(const Act& act, const Grounds& grounds, std::uint64_t begun, const Error* error,
                   Clock::time_point since) const {
  Record record = Base(act, grounds);
  record.phase = audit::Phase::kEnd;
  record.begun = begun;
  record.duration_ns = NanosecondsSince(since);
  record.decision = audit::Decision::kAllowed;
  Durability durability = Durability::kWithKernel;
  if (error != nullptr) {
    record.error = error->code;
    record.violation = error->violation;
    if (error->security_violation()) {
      record.decision = audit::Decision::kDenied;
      record.rule = error->rule;
      record.tier = audit::Tier::kConfine;
      durability = Durability::kOnDisk;
    }
  }
  TRY(recorder_->Append(record, durability));
  return {};
}

Error Ledger::Refused(const Act& act, const Grounds& grounds, Error error,
                      Clock::time_point since) const {
  Record record = Base(act, grounds);
  record.error = error.code;
  record.violation = error.violation;
  if (!error.rule.empty()) record.rule = error.rule;
  record.duration_ns = NanosecondsSince(since);
  // What the agent was allowed to try and the disk refused, is no refusal of ours.
  record.decision = audit::Decision::kAllowed;
  Durability durability = Durability::kWithKernel;
  if (error.security_violation()) {
    record.event = audit::Event::kSandboxViolation;
    record.decision = audit::Decision::kDenied;
    durability = Durability::kOnDisk;
  } else if (IsConsentError(error.code) || error.code == ErrorCode::kCommandBlocked ||
             error.rule.starts_with("tool:")) {
    record.decision = audit::Decision::kDenied;
    durability = Durability::kOnDisk;
  }
  auto appended = recorder_->Append(record, durability);
  return appended ? std::move(error) : std::move(appended.error());
}

Status Ledger::Violated(const Act& act, const sandbox::Refused& refused) const {
  Record record = SessionRecord(audit::Event::kSandboxViolation);
  record.tool = act.call->tool;
  record.operation = refused.operation;
  record.asked = refused.path;
  record.target = refused.program;
  record.decision = audit::Decision::kDenied;
  record.rule = refused.rule;
  record.tier = audit::Tier::kKernel;
  record.error = ErrorCode::kPermissionDenied;
  TRY(recorder_->Append(record, Durability::kOnDisk));
  return {};
}

Status Ledger::Connected(const Act& act, const Connection& connection) const {
  const std::string asked = connection.host + ":" + std::to_string(connection.port);
  const bool allowed = connection.decision == Connection::Decision::kAllowed;
  Record record = SessionRecord(audit::Event::kNetworkConnect);
  record.tool = act.call->tool;
  record.target = asked;
  record.resolved = connection.address;
  record.decision = allowed ? audit::Decision::kAllowed : audit::Decision::kDenied;
  record.rule = connection.rule;
  record.tier = audit::Tier::kPolicy;
  TRY(recorder_->Append(record, allowed ? Durability::kWithKernel : Durability::kOnDisk));
  return {};
}

Status Ledger::Asked(const Act& act, const consent::Question& question) const {
  Grounds grounds;
  grounds.resolved = question.path;
  grounds.rule = question.reason == consent::Reason::kOutside ? "boundary" : "tool";
  if (question.reason == consent::Reason::kRule) grounds.rule = act.command_rule;
  Record record = Base(act, grounds);
  record.event = audit::Event::kConsentAsked;
  record.decision = audit::Decision::kAsked;
  record.question = question.id;
  TRY(recorder_->Append(record, Durability::kWithKernel));
  return {};
}

Status Ledger::Decided(const Act& act, const consent::Question& question,
                       const consent::Answer& answer, Clock::time_point since) const {
  Grounds grounds;
  grounds.resolved = question.path;
  grounds.rule = answer.failure.empty() ? "consent" : std::string_view(answer.failure);
  grounds.tier = audit::Tier::kPerson;
  Record record = Base(act, grounds);
  record.event = audit::Event::kConsentDecided;
  record.decision = answer.choice == consent::Choice::kDeny ? audit::Decision::kDenied
                                                            : audit::Decision::kAllowed;
  record.question = question.id;
  record.choice = consent::ChoiceName(answer.choice);
  record.channel = answer.channel;
  record.duration_ns = NanosecondsSince(since);
  TRY(recorder_->Append(record, Durability::kOnDisk));
  return {};
}

}  // namespace cordon::guard
