#include "preview/target.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>

#include "preview/session.h"

namespace cordon::preview {
namespace {

constexpr std::chrono::milliseconds kFresh{1000};
constexpr std::chrono::seconds kRemembered{60};
constexpr std::chrono::seconds kTryAgain{1};

}  // namespace

std::shared_ptr<Target> Target::Of(Core& core, const SandboxId& id) {
  auto& known = core.targets[id.text()];
  if (!known) known = std::make_shared<Target>(core, id);
  return known;
}

void Target::Tell(std::vector<std::weak_ptr<Session>>& waiting) {
  const std::vector<std::weak_ptr<Session>> told = std::exchange(waiting, {});
  for (const auto& one : told) {
    if (const auto session = one.lock()) session->Advance();
  }
}

void Target::Look(const std::shared_ptr<Session>& waiting) {
  looking_.push_back(waiting);
  if (std::exchange(look_pending_, true)) return;
  const bool taken = core_.workers->Submit([self = shared_from_this(), &core = core_] {
    auto found = core.backend->Look(self->id_);
    boost::asio::post(
        core.io, [self, found = std::move(found)]() mutable { self->Looked(std::move(found)); });
  });
  if (!taken) boost::asio::post(core_.io, [self = shared_from_this()] { self->Looked(Error{}); });
}

void Target::Looked(Result<store::Sandbox> found) {
  look_pending_ = false;
  if (found) {
    known_ = Known::kThere;
    sandbox_ = std::move(*found);
  } else {
    known_ = found.error().code == ErrorCode::kNotFound ? Known::kMissing : Known::kTrouble;
  }
  Tell(looking_);
  if (known_ == Known::kThere) return;
  known_ = Known::kNothing;  // what was trouble may be over
  ForgetIfUnknown();
}

// Nobody fills our memory with ids. The caller holds this.
void Target::ForgetIfUnknown() {
  if (known_ != Known::kNothing || !sessions_.empty() || look_pending_ || wake_pending_) return;
  const auto found = core_.targets.find(id_.text());
  if (found != core_.targets.end() && found->second.get() == this) core_.targets.erase(found);
}

void Target::Leave(Session& session) {
  sessions_.erase(&session);
  ForgetIfUnknown();
}

void Target::Wake(const std::shared_ptr<Session>& waiting) {
  if (waiting) waking_.push_back(waiting);
  if (std::exchange(wake_pending_, true)) return;
  const bool taken =
      core_.workers->Submit([self = shared_from_this(), &core = core_, user = sandbox_->user] {
        auto lease = core.backend->Use(user, self->id_);
        boost::asio::post(
            core.io, [self, lease = std::move(lease)]() mutable { self->Woken(std::move(lease)); });
      });
  if (!taken) boost::asio::post(core_.io, [self = shared_from_this()] { self->Woken(Error{}); });
}

void Target::Woken(Result<provision::Sandboxes::Lease> lease) {
  wake_pending_ = false;
  used_ = Clock::now();
  if (lease) {
    sandbox_ = std::move(lease->sandbox);
    driver_ = std::move(lease->driver);
    lease_.activity = std::move(lease->activity);
    known_ = Known::kThere;
  } else {
    // It is not what it was: whoever waits learns what it is now.
    Changed(Now::kAsleep);
    const std::vector<std::weak_ptr<Session>> told = std::exchange(waking_, {});
    for (const auto& one : told) {
      if (const auto session = one.lock()) session->OnNotWoken();
    }
    return;
  }
  Tell(waking_);
}

void Target::Touch() {
  used_ = Clock::now();
  if (leased() || !sandbox_ || used_ - tried_ < kTryAgain) return;
  tried_ = used_;
  Wake(nullptr);
}

std::shared_ptr<Upstream> Target::Take(std::uint16_t port, Reliance reliance) {
  const auto found = resting_.find(port);
  if (found == resting_.end() || found->second.empty()) return nullptr;
  // The last one in is the least likely to have been given up by the other side.
  std::shared_ptr<Upstream> last = found->second.back();
  const auto rest = reliance == Reliance::kFresh ? kFresh : core_.limits.pooled;
  if (Clock::now() - last->resting_since() > rest) return nullptr;
  found->second.pop_back();
  return last;
}

void Target::Dial(std::uint16_t port, const std::shared_ptr<Session>& waiting) {
  const std::weak_ptr<Session> session = waiting;
  auto work = [self = shared_from_this(), &core = core_, driver = driver_, port, session] {
    auto connected = driver->Connect(self->id_, port);
    Dialled dialled;
    if (!connected && connected.error().code == ErrorCode::kNotFound) {
      dialled.outcome = Dialled::Outcome::kClosed;
      if (const auto usage = driver->Inspect(self->id_)) dialled.listening = usage->ports;
    } else if (connected) {
      dialled.outcome = Dialled::Outcome::kConnected;
    }
    auto socket = std::make_shared<platform::UniqueFd>();
    if (connected) *socket = std::move(*connected);
    boost::asio::post(core.io, [self, &core, port, session, dialled, socket]() mutable {
      const auto waits = session.lock();
      if (!waits || core.closing) return;
      if (socket->valid()) {
        dialled.upstream = std::make_shared<Upstream>(core, self, port, std::move(*socket));
      }
      waits->OnDialled(std::move(dialled));
    });
  };
  if (!core_.workers->Submit(std::move(work))) {
    boost::asio::post(core_.io, [waiting] { waiting->OnDialled({}); });
  }
}

bool Target::Keep(std::shared_ptr<Upstream> upstream) {
  if (known_ != Known::kThere || core_.closing) return false;
  auto& resting = resting_[upstream->port()];
  if (resting.size() >= core_.limits.pooled_of_one) return false;
  resting.push_back(std::move(upstream));
  return true;
}

void Target::Forget(const Upstream& upstream) {
  const auto found = resting_.find(upstream.port());
  if (found == resting_.end()) return;
  std::erase_if(found->second, [&](const auto& one) { return one.get() == &upstream; });
}

void Target::Changed(Now now) {
  known_ = Known::kNothing;
  if (now == Now::kAwake) return;
  lease_ = {};
  for (auto& [port, resting] : resting_) {
    for (const auto& one : resting) one->Drop();
  }
  resting_.clear();
}

void Target::End() {
  Changed(Now::kAsleep);
  const std::vector<Session*> all(sessions_.begin(), sessions_.end());
  for (Session* const one : all) one->OnSandboxEnded();
}

bool Target::Sweep(Clock::time_point now) {
  for (auto& [port, resting] : resting_) {
    std::erase_if(resting, [&](const auto& one) {
      const bool old = now - one->resting_since() > core_.limits.pooled;
      if (old) one->Drop();
      return old;
    });
  }
  if (now - used_ > core_.limits.lease) lease_ = {};
  return !sessions_.empty() || look_pending_ || wake_pending_ || now - used_ < kRemembered;
}

}  // namespace cordon::preview
