#include "provision/disk_watch.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/try.h"

namespace cordon::provision {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kGlance{20};
constexpr milliseconds kWhileAttached{500};
constexpr milliseconds kSoonAfter{250};
constexpr milliseconds kRarest{4000};
// Of its time, between looks: what a look takes, so often.
constexpr int kPausePerLook = 2, kPausePerRegularLook = 16;
constexpr std::uint64_t kSmallDrop = 256U << 10U;
// Beyond the limit, so much more that it endangers the machine.
constexpr std::uint64_t kFarBeyond = 1U << 30U;
// Of a file system, that nobody here takes the last.
constexpr std::uint64_t kLastRoom = 256U << 20U, kLastPart = 100;
constexpr int kMostFailures = 3;
constexpr int kLooksPerQuestion =
    16;  // whether anything runs: some drivers have to start a process
constexpr std::uint64_t kBlock = 4096;

constexpr std::string_view kReached = "the limit on disk was reached";
constexpr std::string_view kMachineFull = "the disk of this machine is nearly full";

std::uint64_t Less(std::uint64_t from, std::uint64_t what) { return from - std::min(from, what); }

Error NotKnown() {
  Error error;
  error.op = "disk";
  error.detail = "the sandbox is gone";
  return error;
}

std::uint64_t Floor(const platform::DiskRoom& room) {
  return std::min(kLastRoom, room.total / kLastPart);
}

}  // namespace

struct DiskWatch::Watched {
  explicit Watched(SandboxId own) : id(std::move(own)) {}
  const SandboxId id;
  std::mutex looking;  // one at a time; before the other lock
  // The rest is under DiskWatch::mutex_.
  TreeUse most, use, tolerated;
  DiskHold hold = DiskHold::kWatched;
  std::uint64_t reserved = 0;  // given out by Room since the last look
  enum class Known { kNothing, kOutdated, kExactly } known = Known::kNothing;
  std::size_t attached = 0;
  enum class Attention { kAsleep, kAwake } attention = Attention::kAsleep;
  milliseconds interval = kSoonAfter;
  Clock::time_point begun, looked, due;  // the last look, and the next
  Clock::duration cost{0};
  std::uint64_t free_then = 0;   // on the file system, when it was looked at
  std::uint64_t stop_below = 0;  // room on the file system
  int failures = 0;
  int background_looks = 0;  // since it was woken
  std::uint64_t stops = 0;
  std::string_view why;
  bool ended = false, forgotten = false;
  // Nothing more than there is, or may be.
  void Tolerate() {
    tolerated = {std::max(most.bytes, use.bytes), std::max(most.files, use.files)};
  }
};

std::shared_ptr<DiskWatch> DiskWatch::Start(Hands hands) {
  std::shared_ptr<DiskWatch> watch(new DiskWatch(std::move(hands)));
  watch->thread_ =
      std::jthread([own = watch.get()](const std::stop_token& stop) { own->RunThread(stop); });
  return watch;
}

DiskWatch::~DiskWatch() { Close(); }

void DiskWatch::Close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    for (const auto& [id, watched] : all_) watched->forgotten = true;
  }
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

std::shared_ptr<DiskWatch::Watched> DiskWatch::Find(const SandboxId& id) {
  const std::lock_guard lock(mutex_);
  const auto found = all_.find(id);
  return found == all_.end() ? nullptr : found->second;
}

void DiskWatch::Add(const SandboxId& id, std::uint64_t disk, DiskHold hold, Origin origin) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Watched>& watched = all_[id];
  if (watched) return;
  watched = std::make_shared<Watched>(id);
  watched->most = watched->tolerated = MostOf(disk);
  watched->hold = hold;
  if (origin == Origin::kMade) watched->known = Watched::Known::kOutdated;
  if (origin == Origin::kFound) Wake(*watched);
}

void DiskWatch::Forget(const SandboxId& id) {
  const std::lock_guard lock(mutex_);
  const auto found = all_.find(id);
  if (found == all_.end()) return;
  if (found->second->attention == Watched::Attention::kAwake) --awake_;
  found->second->attention = Watched::Attention::kAsleep;
  found->second->forgotten = true;
  all_.erase(found);
}

// With the lock.
void DiskWatch::Wake(Watched& watched) {
  if (watched.hold == DiskHold::kQuota || watched.forgotten || closed_) return;
  const auto known = std::exchange(watched.known, watched.known == Watched::Known::kNothing
                                                      ? Watched::Known::kNothing
                                                      : Watched::Known::kOutdated);
  watched.interval = kSoonAfter;
  watched.background_looks = 0;
  watched.due = Clock::now() + (watched.attached != 0 ? kWhileAttached : kSoonAfter);
  if (watched.attention == Watched::Attention::kAwake) return;
  watched.attention = Watched::Attention::kAwake;
  // What was there before is not its doing.
  if (const auto room = hands_.room()) {
    watched.stop_below = std::min(Floor(*room), Less(room->for_users, kLastRoom / 4));
    if (known != Watched::Known::kOutdated || watched.free_then == 0) {
      watched.free_then = room->free;
    }
  }
  if (++awake_ == 1) changed_.notify_all();
}

void DiskWatch::Touch(const SandboxId& id) {
  const std::lock_guard lock(mutex_);
  const auto found = all_.find(id);
  if (found != all_.end()) Wake(*found->second);
}

void DiskWatch::RunThread(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    {
      Lock lock(mutex_);
      if (!changed_.wait(lock, stop, [this] { return awake_ != 0; })) return;
      // Not for a change: between two glances there is always this time.
      changed_.wait_for(lock, stop, kGlance, [] { return false; });
    }
    if (!stop.stop_requested()) Glance();
  }
}

// With the lock.
bool DiskWatch::IsDue(const Watched& watched, const platform::DiskRoom& room,
                      Clock::time_point now) const {
  if (watched.attention != Watched::Attention::kAwake) return false;
  const Clock::duration since = now - watched.looked;
  const std::uint64_t left = Less(watched.most.bytes, watched.use.bytes + watched.reserved);
  const std::uint64_t drop = Less(watched.free_then, room.free);
  if (drop >= std::max(left / 4, kSmallDrop) && since >= watched.cost * kPausePerLook) return true;
  return now >= watched.due && since >= watched.cost * kPausePerRegularLook;
}

void DiskWatch::Glance() {
  const auto room = hands_.room();
  if (!room) return;  // then nothing can be written either
  std::vector<std::shared_ptr<Watched>> due, last;
  {
    const auto now = Clock::now();
    const std::lock_guard lock(mutex_);
    for (const auto& [id, watched] : all_) {
      if (IsDue(*watched, *room, now)) due.push_back(watched);
      if (watched->attention == Watched::Attention::kAwake &&
          room->for_users < watched->stop_below) {
        last.push_back(watched);
      }
    }
  }
  for (const auto& watched : last) Stop(watched, kMachineFull);
  for (const auto& watched : due) {
    bool attached = false;
    {
      const std::lock_guard lock(mutex_);
      attached = watched->attached != 0;
    }
    if (!attached) {
      LookAtBackground(watched);
    } else if (Look(watched)) {
      Judge(watched);
    }
  }
}

void DiskWatch::LookAtBackground(const std::shared_ptr<Watched>& watched) {
  bool asks = false;
  {
    const std::lock_guard lock(mutex_);
    asks = watched->background_looks++ % kLooksPerQuestion == 0;
  }
  // Asked first: what ended meanwhile has written before it is measured.
  const bool runs = !asks || hands_.runs(watched->id);
  if (!Look(watched)) return;
  Judge(watched);
  const std::lock_guard lock(mutex_);
  if (runs || watched->attached != 0 || watched->attention == Watched::Attention::kAsleep) return;
  watched->attention = Watched::Attention::kAsleep;
  watched->known = Watched::Known::kExactly;
  --awake_;
}

Status DiskWatch::Look(const std::shared_ptr<Watched>& watched) {
  const auto asked = Clock::now();
  const std::lock_guard looking(watched->looking);
  std::uint64_t most_files = 0;
  {
    const std::lock_guard lock(mutex_);
    if (watched->forgotten) return NotKnown();
    if (watched->begun >= asked) return {};  // somebody else's will do
    most_files = std::max(watched->most.files, watched->tolerated.files);
  }
  const auto room = hands_.room();
  const auto begun = Clock::now();
  const Result<TreeUse> use = hands_.measure(watched->id, most_files);
  const auto now = Clock::now();
  const std::lock_guard lock(mutex_);
  watched->begun = begun;
  watched->looked = now;
  watched->cost = now - begun;
  watched->interval = std::min(watched->interval * 2, kRarest);
  watched->due = now + (watched->attached != 0 ? kWhileAttached : watched->interval);
  if (room) watched->free_then = room->free;
  if (use) {
    watched->failures = 0;
    watched->use = *use;
    watched->reserved = 0;
    if (watched->attention == Watched::Attention::kAsleep) {
      watched->known = Watched::Known::kExactly;
    } else {
      watched->known = Watched::Known::kOutdated;
    }
    return {};
  }
  // Who cannot be measured for long is taken to be over.
  if (++watched->failures >= kMostFailures) {
    watched->use.bytes = watched->tolerated.bytes + 1;
    return {};
  }
  return use.error();
}

void DiskWatch::Judge(const std::shared_ptr<Watched>& watched) {
  enum class Verdict { kFine, kStop, kEnd } verdict = Verdict::kFine;
  {
    const std::lock_guard lock(mutex_);
    const TreeUse& use = watched->use;
    const TreeUse& most = watched->most;
    if (watched->forgotten) return;
    if (IsBeyond(use, watched->tolerated)) {
      verdict = Verdict::kStop;
      if (Less(use.bytes, most.bytes) > std::max(most.bytes, kFarBeyond)) verdict = Verdict::kEnd;
    } else {
      // What was removed stays removed.
      watched->Tolerate();
    }
    if (verdict == Verdict::kEnd) watched->ended = true;
  }
  if (verdict == Verdict::kStop) Stop(watched, kReached);
  if (verdict == Verdict::kEnd) {
    Stop(watched, kReached);
    hands_.end(watched->id, kReached);
  }
}

void DiskWatch::Stop(const std::shared_ptr<Watched>& watched, std::string_view why) {
  {
    const std::lock_guard lock(mutex_);
    ++watched->stops;
    watched->why = why;
    watched->Tolerate();  // of whoever comes now
    watched->stop_below = Less(watched->stop_below, kLastRoom / 4);
  }
  hands_.stop(watched->id, why);
}

DiskWatch::Run::Run(std::shared_ptr<DiskWatch> watch, std::shared_ptr<Watched> watched)
    : watch_(std::move(watch)), watched_(std::move(watched)) {
  const std::lock_guard lock(watch_->mutex_);
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
