#include "launch/attendance.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "launch/control.h"
#include "launch/environment.h"
#include "launch/program.h"
#include "platform/child_process.h"
#include "platform/inherited.h"
#include "platform/passed_descriptors.h"
#include "platform/pseudo_terminal.h"
#include "platform/wait_events.h"
#include "warden/warden.h"

namespace cordon::launch {
namespace {

using platform::EndSignal;
using platform::UniqueFd;
using sandbox::Execute;
using sandbox::Layer;
using sandbox::LimitKind;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

// Whoever was killed is looked for again after this time, until none is left.
constexpr milliseconds kAgain{20};
constexpr int kKilled = 9;

class Attendance : private warden::Reporter {
 public:
  explicit Attendance(AttendanceTerms& terms) : terms_(terms) {}

  std::optional<Setback> Start();
  void Send(const sandbox::Report& report, std::span<const int> descriptors = {}) const {
    if (!terms_.connection.valid()) return;
    // That the other end is gone is seen where orders are read.
    static_cast<void>(Control(terms_.connection.get()).Send(report, descriptors));
  }
  void Run();

 private:
  void Refused(const sandbox::Refused& refused) override { Send(refused); }
  void RefusedMore(const sandbox::RefusedMore& more) override { Send(more); }
  void Ask(const sandbox::Ask& ask) override { Send(ask); }

  std::optional<Setback> FindStreams();
  std::optional<Setback> StartProgram();
  platform::ProgramTerms Program() const;
  std::optional<milliseconds> TimeToNext() const;
  void TakeOrder();
  void Reap();
  void CheckTimes();
  void Stop();
  void KillAll();
  void TellEnd();
  std::uint64_t MemoryEnds() const {
    return terms_.group != nullptr ? terms_.group->Events().memory_ends : 0;
  }

  AttendanceTerms& terms_;
  std::optional<platform::SignalSource> signals_;
  UniqueFd master_, slave_;
  std::unique_ptr<warden::Warden> warden_;
  platform::ProcessId first_ = 0;
  std::uint64_t memory_ends_ = 0;
  std::optional<Clock::time_point> wall_end_, kill_at_;
  std::optional<platform::Exit> exit_;  // of the first process
  bool killing_ = false, none_left_ = false, listening_ = true, told_end_ = false;
};

std::optional<Setback> Attendance::Start() {
  platform::HoldBackSignals();
  auto signals = platform::SignalSource::Open(platform::SignalSource::Of::kChildren);
  if (!signals) return SetbackOf(std::nullopt, signals.error());
  signals_ = std::move(*signals);
  memory_ends_ = MemoryEnds();
  for (const Status& step : {platform::AdoptOrphans(), platform::DieWithParent(EndSignal::kKill)}) {
    if (!step) return SetbackOf(std::nullopt, step.error());
  }
  if (auto setback = FindStreams()) return setback;
  if (auto setback = StartProgram()) return setback;
  // Held by the program alone, so that their end is seen.
  slave_.reset();
  terms_.streams.clear();
  if (const Status empty = platform::SetStandardStreams(-1, -1, -1); !empty) {
    return SetbackOf(std::nullopt, empty.error());
  }
  std::vector<int> handed_out;
  if (master_.valid()) handed_out.push_back(master_.get());
  Send(sandbox::Ready{terms_.layers}, handed_out);
  master_.reset();
  if (terms_.execute.wall.count() != 0) wall_end_ = Clock::now() + terms_.execute.wall;
  return std::nullopt;
}

std::optional<Setback> Attendance::FindStreams() {
  if (terms_.execute.terminal == sandbox::TerminalUse::kOwn) {
    auto terminal = platform::OpenPseudoTerminal();
    if (!terminal) return SetbackOf(std::nullopt, terminal.error());
    master_ = std::move(terminal->master);
    slave_ = std::move(terminal->slave);
    static_cast<void>(
        platform::SetTerminalSize(slave_.get(), terms_.execute.rows, terms_.execute.columns));
    return std::nullopt;
  }
  const std::vector<UniqueFd>& given = terms_.streams;
  if (given.size() != 3) return Setback{std::nullopt, {sandbox::Failed::Stage::kSetUp, "streams"}};
  const Status set = platform::SetStandardStreams(given[0].get(), given[1].get(), given[2].get());
  if (!set) return SetbackOf(std::nullopt, set.error());
  return std::nullopt;
}

platform::ProgramTerms Attendance::Program() const {
  const Execute& execute = terms_.execute;
  platform::ProgramTerms program;
  program.arguments = execute.arguments;
  program.environment = WithMore(terms_.environment, execute.environment);
  program.candidates = CandidatesFor(execute.arguments.front(), program.environment);
  program.directory = execute.directory.empty() ? terms_.spec.directory : execute.directory;
  program.limits = LimitsOfOne(terms_.spec, terms_.layers);
  program.session = platform::ProgramTerms::Session::kOwn;
  program.terminal = slave_.get();
  program.inner_line = terms_.inner_line;
  if (terms_.spec.limits.memory != 0) {
    program.out_of_memory = platform::ProgramTerms::OutOfMemory::kFirst;
  }
  return program;
}

std::optional<Setback> Attendance::StartProgram() {
  const bool supervised = terms_.layers.Has(Layer::kSupervisor);
  platform::ProgramTerms program = Program();
  if (terms_.layers.Has(Layer::kSyscallFilter)) {
    program.filter = [this, supervised] {
      return platform::InstallFilter(
          terms_.filter, supervised ? platform::Listener::kWanted : platform::Listener::kNone);
    };
  }
  platform::NotStarted why;
  auto started = platform::StartProgram(program, why);
  if (!started) return SetbackOf(why, terms_.layers, terms_.execute.arguments.front());
  first_ = started->process;
  if (!supervised) return std::nullopt;
  // Without a view of its own there is no sandbox that stays.
  auto warden =
      warden::Warden::Make(terms_.spec, warden::View::kOwn, std::move(started->listener), *this);
  if (!warden) return SetbackOf(Layer::kSupervisor, warden.error());
  warden_ = std::move(*warden);
  return std::nullopt;
}

void Attendance::Run() {
  while (!none_left_) {
    const bool supervised = warden_ && listening_;
    std::array<platform::Awaited, 4> awaited;
    awaited[0].descriptor = supervised ? warden_->calls() : -1;
    awaited[1].descriptor = supervised ? warden_->clock() : -1;
    awaited[2].descriptor = killing_ ? -1 : terms_.connection.get();
    awaited[3].descriptor = signals_->descriptor();
    platform::AwaitAny(awaited, TimeToNext());
    if (awaited[0].gone)
      listening_ = false;  // nobody is left who could call
    else if (awaited[0].happened)
      warden_->Serve();
    if (awaited[1].happened) warden_->Retry();
    if (awaited[2].happened) TakeOrder();
    // Without a signal nobody has ended; whoever was killed is looked for all the same.
    if (awaited[3].happened) signals_->Take();
    if (awaited[3].happened || killing_) Reap();
    CheckTimes();
  }
  if (!told_end_) TellEnd();
}

std::optional<milliseconds> Attendance::TimeToNext() const {
  std::optional<milliseconds> next;
  if (killing_) next = kAgain;
  for (const auto& due : {wall_end_, kill_at_}) {
    if (!due) continue;
    const auto left =
        std::max(std::chrono::ceil<milliseconds>(*due - Clock::now()), milliseconds(0));
    next = next ? std::min(*next, left) : left;
  }
  return next;
}

void Attendance::TakeOrder() {
  auto received = Control(terms_.connection.get()).Receive();
  if (!received) {  // whoever asked for it is gone, or speaks nonsense
    terms_.connection.reset();
    if (terms_.execute.bond == Execute::Bond::kAttached) KillAll();
    return;
  }
  if (const auto* answer = std::get_if<sandbox::Answer>(&received->order)) {
    if (warden_) warden_->Answered(*answer, std::move(received->descriptor));
  } else if (std::holds_alternative<sandbox::Stop>(received->order)) {
    Stop();
  } else {
    KillAll();
  }
}

void Attendance::Reap() {
  for (;;) {
    const auto reaped = platform::ReapNext();
    if (!reaped) {
      none_left_ = true;
      return;
    }
    if (!*reaped) break;
    if ((*reaped)->process == first_) exit_ = **reaped;
  }
  // What it left behind goes on; but what was to be ended is ended with all the rest.
  const bool ending = killing_ || kill_at_.has_value();
  if (exit_ && !ending && !told_end_) TellEnd();
}

void Attendance::CheckTimes() {
  const Clock::time_point now = Clock::now();
  if (killing_) {
    platform::SignalDescendants(EndSignal::kKill);
    return;
  }
  if (kill_at_ && now >= *kill_at_) return KillAll();
  if (wall_end_ && now >= *wall_end_) {
    wall_end_.reset();
    Send(sandbox::LimitHit{LimitKind::kWall});
    Stop();
  }
}

void Attendance::Stop() {
  if (kill_at_) return;
  platform::SignalDescendants(EndSignal::kTerminate);
  kill_at_ = Clock::now() + terms_.execute.grace;
}

void Attendance::KillAll() {
  killing_ = true;
  wall_end_.reset();
  kill_at_.reset();
  platform::SignalDescendants(EndSignal::kKill);
}

void Attendance::TellEnd() {
  told_end_ = true;
  wall_end_.reset();
  sandbox::Ended ended;
  if (exit_) {
    ended.status = exit_->status;
    ended.signal = exit_->signal;
  }
  if (ended.signal == kKilled && MemoryEnds() > memory_ends_) {
    Send(sandbox::LimitHit{LimitKind::kMemory});
  }
  if (warden_) warden_->Finish();
  const platform::ChildUsage usage = platform::UsageOfEnded();
  ended.cpu = std::chrono::microseconds(usage.cpu_us);
  ended.peak_memory = usage.peak_memory;
  Send(ended);
  terms_.connection.reset();
}

}  // namespace

int Attend(AttendanceTerms terms) {
  Attendance attendance(terms);
  if (const auto setback = attendance.Start()) {
    platform::EndDescendants();  // whatever was started already
    attendance.Send(setback->failed);
    return 1;
  }
  attendance.Run();
  return 0;
}

}  // namespace cordon::launch
