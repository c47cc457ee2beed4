// Programs and tools towards the limit on disks: what each is told, and the room it gets.
#include <utility>

#include "base/try.h"
#include "provision/disk_watched.h"

namespace cordon::provision {
namespace {

constexpr std::uint64_t kBlock = 4096;
// A sandbox that is not ended by then does not answer at all.
constexpr std::chrono::seconds kLongestHalt{10};

}  // namespace

DiskWatch::Run::Run(std::shared_ptr<DiskWatch> watch, std::shared_ptr<Watched> watched)
    : watch_(std::move(watch)), watched_(std::move(watched)) {
  Lock lock(watch_->mutex_);
  watch_->AwaitHalt(lock, *watched_);
  stops_before_ = watched_->stops;
  ++watched_->attached;
  watched_->Tolerate();  // it may be there to remove something
  watch_->Wake(*watched_);
}

DiskWatch::Run::~Run() {
  const std::lock_guard lock(watch_->mutex_);
  --watched_->attached;
  watch_->Wake(*watched_);
}

DiskWatch::Run::Fate DiskWatch::Run::fate() const {
  const std::lock_guard lock(watch_->mutex_);
  if (watched_->stops == stops_before_) return Fate::kLeftAlone;
  return watched_->ended ? Fate::kSandboxEnded : Fate::kStopped;
}

std::optional<std::string> DiskWatch::Run::Hindrance(Outcome outcome) {
  Lock lock(watch_->mutex_);
  if (watched_->stops != stops_before_) return std::string(watched_->why);
  if (outcome == Outcome::kGood || watched_->forgotten) return std::nullopt;
  const TreeUse most = watched_->most;
  if (watched_->hold == DiskHold::kQuota) {
    lock.unlock();
    const auto use = watch_->hands_.by_quota(watched_->id, most);
    if (use && (use->bytes + kBlock > most.bytes || use->files >= most.files)) {
      return std::string(kReached);
    }
    return std::nullopt;
  }
  // It may have been refused by the limit on one file, or have ended before it was looked at.
  const auto room = watch_->hands_.room();
  if (!room || watched_->use.bytes + Less(watched_->free_then, room->free) <= most.bytes / 2) {
    return std::nullopt;
  }
  lock.unlock();
  if (!watch_->Look(watched_)) return std::nullopt;
  lock.lock();
  if (!IsBeyond({watched_->use.bytes + kBlock, watched_->use.files}, most)) return std::nullopt;
  return std::string(kReached);
}

std::unique_ptr<DiskWatch::Run> DiskWatch::Begin(const SandboxId& id) {
  std::shared_ptr<Watched> watched = Find(id);
  return watched ? std::make_unique<Run>(shared_from_this(), std::move(watched)) : nullptr;
}

void DiskWatch::AwaitHalt(Lock& lock, const Watched& watched) {
  changed_.wait_for(lock, kLongestHalt, [&] {
    return watched.halting == Extent::kNothing || watched.forgotten || closed_;
  });
}

void DiskWatch::AwaitHalt(const SandboxId& id) {
  const std::shared_ptr<Watched> watched = Find(id);
  if (!watched) return;
  Lock lock(mutex_);
  AwaitHalt(lock, *watched);
}

Status DiskWatch::Room(const SandboxId& id, std::uint64_t bytes) {
  const std::shared_ptr<Watched> watched = Find(id);
  if (!watched) return {};  // none that anything could be written to
  const std::uint64_t blocks = (bytes + kBlock - 1) / kBlock * kBlock;
  Lock lock(mutex_);
  const TreeUse most = watched->most;
  if (watched->hold == DiskHold::kQuota) {
    lock.unlock();
    TRY_ASSIGN(const TreeUse use, hands_.by_quota(id, most));
    return IsBeyond({use.bytes + blocks, use.files + 1}, most) ? Status(NoRoom()) : Status();
  }
  const auto fits = [&] {
    const TreeUse& use = watched->use;
    return !IsBeyond({use.bytes + watched->reserved + blocks, use.files + 1}, most);
  };
  const Clock::duration since = Clock::now() - watched->looked;
  const bool old = watched->known == Watched::Known::kOutdated && since > kWhileAttached &&
                   watched->attention == Watched::Attention::kAwake;
  const bool unknown = watched->known == Watched::Known::kNothing;
  // Something may have been removed, too.
  if (unknown || old || !fits()) {
    lock.unlock();
    TRY(Look(watched));
    lock.lock();
  }
  if (!fits()) return NoRoom();
  watched->reserved += blocks;
  return {};
}

Result<std::uint64_t> DiskWatch::Use(const SandboxId& id) {
  const std::shared_ptr<Watched> watched = Find(id);
  if (!watched) return std::uint64_t{0};
  Lock lock(mutex_);
  const TreeUse most = watched->most;
  if (watched->hold == DiskHold::kQuota) {
    lock.unlock();
    TRY_ASSIGN(const TreeUse use, hands_.by_quota(id, most));
    return use.bytes;
  }
  const bool current = watched->known == Watched::Known::kExactly && watched->reserved == 0;
  if (!current) {
    lock.unlock();
    TRY(Look(watched));
    lock.lock();
  }
  return watched->use.bytes;
}

}  // namespace cordon::provision
