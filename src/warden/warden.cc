#include "warden/warden.h"

#include <cerrno>
#include <utility>

#include "base/try.h"
#include "platform/local_socket.h"
#include "platform/wake_up.h"
#include "warden/case.h"

namespace cordon::warden {
void Case::Answer(int result) {
  if (result < 0) return Fail(-result);
  hand_.listener.Succeed(id_, 0);
}

void Case::Refuse(Operation operation, const std::string& path, const std::string& rule) {
  if (hand_.refusals.IsNew(operation, path, rule)) {
    sandbox::Refused refused;
    refused.operation = operation;
    refused.path = path;
    refused.rule = rule;
    if (const auto facts = hand_.processes.Facts(thread_)) {
      refused.program = facts->name;
      refused.process = static_cast<std::uint32_t>(facts->thread_group);
    }
    hand_.refusals.Tell(refused);
  }
  Fail(EACCES);
}

bool Case::Allowed(Operation operation, const std::string& path) {
  const Judgement judged = hand_.resolver.Judged(path, operation);
  if (!judged.refused()) return true;
  Refuse(operation, path, judged.rule);
  return false;
}

bool Case::IsThere(Operation operation, const NotThere& looked) {
  if (!looked.refused.empty()) {
    Refuse(operation, looked.place, looked.refused);
    return false;
  }
  if (looked.os_errno == 0) return true;
  // In a view that was built, what is outside is not there.
  if (hand_.judge.IsQuiet(looked.place)) {
    Fail(looked.os_errno);
  } else {
    Refuse(operation, looked.place, "outside");
  }
  return false;
}

std::uint32_t Case::Umask() const {
  const auto facts = hand_.processes.Facts(thread_);
  return facts ? facts->umask : 077;
}

struct Warden::State {
  State(sandbox::Spec told, platform::SyscallListener calls, platform::ActForProcess act,
        platform::OtherProcesses other, Judge judging, platform::WakeUp waking, Reporter& reporter)
      : spec(std::move(told)),
        listener(std::move(calls)),
        acts(std::move(act)),
        processes(std::move(other)),
        judge(std::move(judging)),
        wake_up(std::move(waking)),
        refusals(reporter),
        waiting(listener, acts, wake_up) {}

  const sandbox::Spec spec;
  const platform::SyscallListener listener;
  const platform::ActForProcess acts;
  const platform::OtherProcesses processes;
  const Judge judge;
  platform::WakeUp wake_up;
  std::optional<Resolver> resolver;
  Refusals refusals;
  Waiting waiting;
  std::optional<Hand> hand;
};

Warden::Warden(std::unique_ptr<State> state) : state_(std::move(state)) {}
Warden::~Warden() = default;

Result<std::unique_ptr<Warden>> Warden::Make(const sandbox::Spec& spec, View view,
                                             platform::UniqueFd listener, Reporter& reporter) {
  TRY(platform::HideOwnMemory());
  TRY_ASSIGN(platform::SyscallListener calls,
             platform::SyscallListener::Adopt(std::move(listener)));
  TRY_ASSIGN(platform::ActForProcess acts, platform::ActForProcess::Open());
  TRY_ASSIGN(platform::OtherProcesses processes, platform::OtherProcesses::Open());
  TRY_ASSIGN(const std::uint32_t own, platform::OwnProcess());
  TRY_ASSIGN(Judge judge, Judge::Make(spec, view, static_cast<int>(own)));
  TRY_ASSIGN(platform::WakeUp wake_up, platform::WakeUp::Make());
  auto state =
      std::make_unique<State>(spec, std::move(calls), std::move(acts), std::move(processes),
                              std::move(judge), std::move(wake_up), reporter);
  TRY_ASSIGN(Resolver resolver, Resolver::Make(state->acts, state->processes, state->judge));
  state->resolver.emplace(std::move(resolver));
  state->hand.emplace(Hand{state->spec, state->listener, state->acts, state->processes,
                           state->judge, *state->resolver, state->refusals, state->waiting});
  return std::unique_ptr<Warden>(new Warden(std::move(state)));
}

int Warden::calls() const { return state_->listener.descriptor(); }
int Warden::clock() const { return state_->waiting.HasSome() ? state_->wake_up.descriptor() : -1; }

void Warden::Retry() {
  if (state_->wake_up.Struck()) state_->waiting.Retry();
}

void Warden::Serve() {
  const auto notification = state_->listener.Receive();
  if (!notification) return;
  Case one(*state_->hand, *notification);
  // Of another PID namespace: nothing of it can be read.
  if (notification->thread == 0) return one.Fail(EACCES);
  platform::SupervisedCall call;
  if (const int failed = platform::Decode(*notification, call); failed != 0) {
    return one.Fail(-failed);
  }
  std::visit([&](const auto& wish) { one.Do(wish); }, call);
}

void Warden::Answered(const sandbox::Answer& answer, platform::UniqueFd granted) {
  if (answer.os_errno != 0) granted.reset();
  state_->waiting.Answered(answer.id, granted, answer.os_errno);
}

void Warden::Finish() { state_->refusals.Finish(); }

}  // namespace cordon::warden
