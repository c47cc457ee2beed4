#include "sandbox/command.h"

#include <mutex>
#include <utility>

#include "base/try.h"
#include "platform/passed_descriptors.h"
#include "platform/spawn.h"
#include "sandbox/reports.h"

namespace cordon::sandbox {

using platform::UniqueFd;

struct Command::State {
  platform::SpawnedProcess launcher;
  UniqueFd control;
  Ready ready;
  bool left = false;
  UniqueFd terminal, http, socks;
  std::mutex sending;  // orders come from several threads

  void Send(const Order& order, int descriptor = -1) {
    const std::lock_guard lock(sending);
    const std::span<const int> descriptors(&descriptor, descriptor < 0 ? 0 : 1);
    // Who is gone needs no orders; Wait tells of it.
    static_cast<void>(platform::SendMessage(control.get(), Encode(order), descriptors));
  }

  void TakeDescriptors(const Spec& spec, std::vector<UniqueFd>& given) {
    std::size_t next = 0;
    const auto take = [&] { return next < given.size() ? std::move(given[next++]) : UniqueFd(); };
    if (spec.terminal == TerminalUse::kOwn) terminal = take();
    if (spec.network != Network::kProxied) return;
    http = take();
    socks = take();
  }
};

Result<Launcher> Launcher::Start(const std::string& program, const Streams& streams,
                                 const LayerSet& expected) {
  TRY_ASSIGN(platform::MessagePair sockets, platform::MakeMessagePair());
  Launcher launcher;
  TRY_ASSIGN(launcher.spec_, platform::MakeUnnamedFile());
  platform::SpawnPlan plan;
  plan.program = program;
  plan.arguments = {"cordon-launch", std::string(kAheadFlag) + std::to_string(expected.bits())};
  plan.descriptors = {{streams.in, 0},
                      {streams.out, 1},
                      {streams.err, 2},
                      {launcher.spec_.get(), kSpecDescriptor},
                      {sockets.other.get(), kControlDescriptor}};
  TRY_ASSIGN(launcher.process_, platform::SpawnedProcess::Start(plan));
  // Ours closed with `sockets`, the launcher's end is the only one: its death is seen.
  launcher.control_ = std::move(sockets.one);
  return launcher;
}

Result<std::unique_ptr<Command>> Command::Start(const Spec& spec, Launcher launcher) {
  TRY(platform::FillAndSeal(launcher.spec_.get(), Encode(spec)));
  auto state = std::make_unique<State>();
  state->launcher = std::move(launcher.process_);
  state->control = std::move(launcher.control_);
  state->Send(Begin{});
  TRY_ASSIGN(platform::Received first, NextMessage(state->control.get()));
  TRY_ASSIGN(const Report report, DecodeReport(first.bytes));
  if (const auto* failed = std::get_if<Failed>(&report)) return ErrorOf(*failed);
  const auto* ready = std::get_if<Ready>(&report);
  if (ready == nullptr) return LauncherError("the launcher speaks out of turn");
  if (!ready->layers.Includes(spec.required)) {
    return LauncherError("the launcher left out a layer that was required");
  }
  state->ready = *ready;
  state->TakeDescriptors(spec, first.descriptors);
  return std::unique_ptr<Command>(new Command(std::move(state)));
}

Command::Command(std::unique_ptr<State> state) : state_(std::move(state)) {}
Command::~Command() = default;

LayerSet Command::layers() const { return state_->ready.layers; }
UniqueFd Command::TakeTerminal() { return std::move(state_->terminal); }
UniqueFd Command::TakeHttpListener() { return std::move(state_->http); }
UniqueFd Command::TakeSocksListener() { return std::move(state_->socks); }

Result<Ended> Command::Wait(Listener& listener) {
  auto ended = HearOut(state_->control.get(), listener);
  if (!ended) return ended;
  if (state_->left)
    state_->launcher.Leave();
  else
    state_->launcher.Wait();
  return ended;
}

void Command::Give(std::uint64_t id, UniqueFd granted) {
  state_->Send(Answer{id, 0}, granted.get());
}
void Command::Refuse(std::uint64_t id, int os_errno) { state_->Send(Answer{id, os_errno}); }

void Command::Leave() { state_->left = true; }

void Command::Stop() { state_->Send(sandbox::Stop{}); }
void Command::Kill() { state_->Send(sandbox::Kill{}); }

}  // namespace cordon::sandbox
