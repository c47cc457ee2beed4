#include "launch/supervision.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

namespace cordon::launch {

using platform::EndSignal;
using sandbox::LimitKind;

namespace {

// Whoever was killed is looked for again after this time, until none is left.
constexpr std::chrono::milliseconds kAgain{20};

// That Cordon is gone is seen where its orders are read.
void Send(const Control& control, const sandbox::Report& report) {
  if (const Status sent = control.Send(report); !sent) return;
}

}  // namespace

void SentRefusals::Refused(const sandbox::Refused& refused) { Send(control_, refused); }
void SentRefusals::RefusedMore(const sandbox::RefusedMore& more) { Send(control_, more); }
void SentRefusals::Ask(const sandbox::Ask& ask) { Send(control_, ask); }

Supervision::Supervision(const sandbox::Limits& limits, const Parts& parts)
    : limits_(limits), parts_(parts) {
  const Clock::time_point now = Clock::now();
  if (limits.wall.count() != 0) wall_end_ = now + limits.wall;
  if (const auto interval = parts.limits.interval()) sample_at_ = now + *interval;
}

void Supervision::Run() {
  while (!none_left_) {
    warden::Warden* const warden = listening_ ? parts_.warden : nullptr;
    std::array<platform::Awaited, 4> awaited;
    awaited[0].descriptor = warden != nullptr ? warden->calls() : -1;
    awaited[1].descriptor = warden != nullptr ? warden->clock() : -1;
    awaited[2].descriptor = killing_ ? -1 : parts_.control.socket();
    awaited[3].descriptor = parts_.signals.descriptor();
    platform::AwaitAny(awaited, TimeToNext());
    if (awaited[0].gone)
      listening_ = false;  // nobody is left who could call
    else if (awaited[0].happened && warden != nullptr)
      warden->Serve();
    if (awaited[1].happened && warden != nullptr) warden->Retry();
    if (awaited[2].happened) TakeOrder();
    // Without a signal nobody has ended; whoever was killed is looked for all the same.
    if (awaited[3].happened && parts_.signals.Take().terminate) KillAll();
    if (awaited[3].happened || killing_) Reap();
    CheckTimes();
  }
  TellEnd();
}

std::optional<std::chrono::milliseconds> Supervision::TimeToNext() const {
  std::optional<std::chrono::milliseconds> next;
  if (killing_) next = kAgain;
  for (const auto& due : {wall_end_, kill_at_, sample_at_}) {
    if (!due) continue;
    const auto left = std::max(std::chrono::ceil<std::chrono::milliseconds>(*due - Clock::now()),
                               std::chrono::milliseconds(0));
    next = next ? std::min(*next, left) : left;
  }
  return next;
}

void Supervision::TakeOrder() {
  Result<Received> received = parts_.control.Receive();
  if (!received) return KillAll();  // Cordon is gone, or speaks nonsense
  if (const auto* answer = std::get_if<sandbox::Answer>(&received->order)) {
    if (parts_.warden != nullptr) {
      parts_.warden->Answered(*answer, std::move(received->descriptor));
    }
  } else if (std::holds_alternative<sandbox::Stop>(received->order)) {
    Stop();
  } else {
    KillAll();
  }
}

void Supervision::Reap() {
  for (;;) {
    const auto reaped = platform::ReapNext();
    if (!reaped) {
      none_left_ = true;
      return;
    }
    if (!*reaped) break;
    if (const auto limit = parts_.limits.NamedBy((*reaped)->signal)) TellOnce(*limit);
    if ((*reaped)->process == parts_.first) exit_ = **reaped;
  }
  if (exit_ && !killing_) KillAll();  // a command ends with its first process
}

void Supervision::CheckTimes() {
  const Clock::time_point now = Clock::now();
  if (killing_) return SignalAll(EndSignal::kKill);
  if (kill_at_ && now >= *kill_at_) return KillAll();
  if (wall_end_ && now >= *wall_end_) {
    wall_end_.reset();
    TellOnce(LimitKind::kWall);
    Stop();
  }
  if (sample_at_ && now >= *sample_at_) {
    sample_at_ = now + *parts_.limits.interval();
    if (const auto limit = parts_.limits.Check()) OnLimit(*limit);
  }
}

void Supervision::OnLimit(LimitKind kind) {
  TellOnce(kind);
  KillAll();
}

void Supervision::TellOnce(LimitKind kind) {
  if (told_) return;
  told_ = kind;
  Send(parts_.control, sandbox::LimitHit{kind});
}

void Supervision::Stop() {
  if (kill_at_) return;
  SignalAll(EndSignal::kTerminate);
  kill_at_ = Clock::now() + limits_.grace;
}

void Supervision::KillAll() {
  killing_ = true;
  wall_end_.reset();
  kill_at_.reset();
  sample_at_.reset();
  SignalAll(EndSignal::kKill);
}

void Supervision::SignalAll(EndSignal signal) const {
  if (parts_.reach == Reach::kNamespace)
    platform::SignalNamespace(signal);
  else
    platform::SignalDescendants(signal);
}

void Supervision::TellEnd() {
  // What happened between the last sample and the end.
  if (!told_) {
    if (const auto limit = parts_.limits.CheckEnded())
      TellOnce(*limit);
    else if (parts_.limits.PrivateSpaceFull())
      TellOnce(LimitKind::kPrivateSpace);
  }
  if (parts_.warden != nullptr) parts_.warden->Finish();
  sandbox::Ended ended;
  if (exit_) {
    ended.status = exit_->status;
    ended.signal = exit_->signal;
  }
  parts_.limits.Complete(ended);
  Send(parts_.control, ended);
}

}  // namespace cordon::launch
