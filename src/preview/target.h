// A sandbox as the proxy knows it: its record, its lease, its connections.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "preview/core.h"
#include "preview/upstream.h"

namespace cordon::preview {

// Of the I/O thread. What takes time is done in a worker, and those who wait are told.
class Target : public std::enable_shared_from_this<Target> {
 public:
  Target(Core& core, SandboxId id) : core_(core), id_(std::move(id)) {}

  // The one for this id, made if it is not known yet.
  static std::shared_ptr<Target> Of(Core& core, const SandboxId& id);

  const SandboxId& id() const { return id_; }

  enum class Known { kNothing, kThere, kMissing, kTrouble };
  Known known() const { return known_; }
  const store::Sandbox& sandbox() const { return *sandbox_; }  // of kThere
  // Looks it up; then Session::Advance of `waiting`.
  void Look(const std::shared_ptr<Session>& waiting);

  // Whether it is awake and stays so.
  bool leased() const { return lease_.activity != nullptr; }
  // Takes a lease; then Session::Advance of `waiting`.
  void Wake(const std::shared_ptr<Session>& waiting);
  // There is traffic.
  void Touch();

  // One that rests, and can be relied on as far as `wanted` says.
  enum class Reliance { kAny, kFresh };
  std::shared_ptr<Upstream> Take(std::uint16_t port, Reliance reliance);
  // Makes one; then Session::OnDialled of `waiting`.
  void Dial(std::uint16_t port, const std::shared_ptr<Session>& waiting);
  bool Keep(std::shared_ptr<Upstream> upstream);
  void Forget(const Upstream& upstream);

  // Its record is another by now. kAsleep: and what rested or was leased is of no use.
  enum class Now { kAwake, kAsleep };
  void Changed(Now now);
  // It has ended: all its connections do.
  void End();

  void Enter(Session& session) { sessions_.insert(&session); }
  void Leave(Session& session);
  std::size_t visitors() const { return sessions_.size(); }
  // False: nothing needs it any more.
  bool Sweep(Clock::time_point now);

 private:
  void ForgetIfUnknown();
  void Tell(std::vector<std::weak_ptr<Session>>& waiting);
  void Looked(Result<store::Sandbox> found);
  void Woken(Result<provision::Sandboxes::Lease> lease);

  Core& core_;
  const SandboxId id_;
  Known known_ = Known::kNothing;
  std::optional<store::Sandbox> sandbox_;
  std::shared_ptr<provision::Driver> driver_;
  struct Lease {
    std::shared_ptr<void> activity;
  } lease_;
  std::vector<std::weak_ptr<Session>> looking_, waking_;
  bool look_pending_ = false, wake_pending_ = false;
  std::map<std::uint16_t, std::vector<std::shared_ptr<Upstream>>> resting_;
  std::unordered_set<Session*> sessions_;
  Clock::time_point used_ = Clock::now();
  Clock::time_point tried_;  // to wake it for what goes on already
};

}  // namespace cordon::preview
