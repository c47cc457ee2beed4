// The time from the start of a command to the end of its last process.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "launch/control.h"
#include "launch/limit_watch.h"
#include "platform/child_process.h"
#include "platform/wait_events.h"
#include "warden/warden.h"

namespace cordon::launch {

// What is sent to Cordon of what the warden refuses.
class SentRefusals : public warden::Reporter {
 public:
  explicit SentRefusals(const Control& control) : control_(control) {}
  void Refused(const sandbox::Refused& refused) override;
  void RefusedMore(const sandbox::RefusedMore& more) override;
  void Ask(const sandbox::Ask& ask) override;

 private:
  const Control& control_;
};

// Guarantees: when Run returns, no process of the command is left.
class Supervision {
 public:
  // kNamespace: this process is the first one of a PID namespace.
  enum class Reach { kNamespace, kDescendants };
  struct Parts {
    const Control& control;
    const platform::SignalSource& signals;
    LimitWatch& limits;
    warden::Warden* warden = nullptr;  // null: nothing is supervised
    platform::ProcessId first = 0;
    Reach reach = Reach::kNamespace;
  };
  Supervision(const sandbox::Limits& limits, const Parts& parts);
  void Run();

 private:
  using Clock = std::chrono::steady_clock;

  std::optional<std::chrono::milliseconds> TimeToNext() const;
  void TakeOrder();
  void Reap();
  void CheckTimes();
  void OnLimit(sandbox::LimitKind kind);
  void TellOnce(sandbox::LimitKind kind);
  void Stop();
  void KillAll();
  void SignalAll(platform::EndSignal signal) const;
  void TellEnd();

  const sandbox::Limits limits_;
  const Parts parts_;
  std::optional<Clock::time_point> wall_end_, kill_at_, sample_at_;
  std::optional<platform::Exit> exit_;  // of the first process
  std::optional<sandbox::LimitKind> told_;
  bool killing_ = false, none_left_ = false, listening_ = true;
};

}  // namespace cordon::launch
