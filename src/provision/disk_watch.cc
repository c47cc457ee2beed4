#include "provision/disk_watch.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "provision/disk_watched.h"

namespace cordon::provision {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kGlance{20};
constexpr milliseconds kRarest{4000};
// Of its time, between looks: what a look takes, so often.
constexpr int kPausePerLook = 2, kPausePerRegularLook = 16;
constexpr std::uint64_t kSmallDrop = 256U << 10U;
// Beyond the limit, so much more that it endangers the machine.
constexpr std::uint64_t kFarBeyond = 1U << 30U;
constexpr std::uint64_t kLastPart = 100;  // of a file system, unless kLastRoom is less
constexpr int kMostFailures = 3;
constexpr int kLooksPerQuestion =
    16;  // whether anything runs: some drivers have to start a process
constexpr net::WorkerPool::Limits kTalks{.threads = 32, .waiting = 8192};  // sandboxes at once

constexpr std::string_view kMachineFull = "the disk of this machine is nearly full";

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

DiskWatch::DiskWatch(Hands hands)
    : hands_(std::move(hands)), talks_(std::make_unique<net::WorkerPool>(kTalks)) {}

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
  changed_.notify_all();
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
  talks_.reset();
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
  ++watched.wakes;
  if (watched.rest == Watched::Rest::kFound) watched.rest = Watched::Rest::kUnknown;
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
  for (const auto& watched : last) Halt(watched, Extent::kPrograms, kMachineFull);
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
  bool rested = false;  // before it is measured: what ended later may have written since
  {
    const std::lock_guard lock(mutex_);
    rested = watched->rest == Watched::Rest::kFound;
    if (watched->rest == Watched::Rest::kUnknown &&
        watched->background_looks++ % kLooksPerQuestion == 0) {
      AskWhetherItRuns(watched);
    }
  }
  if (!Look(watched)) return;
  Judge(watched);
  const std::lock_guard lock(mutex_);
  if (!rested || watched->rest != Watched::Rest::kFound || watched->attached != 0 ||
      watched->attention == Watched::Attention::kAsleep) {
    return;
  }
  watched->rest = Watched::Rest::kUnknown;
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
  Extent verdict = Extent::kNothing;
  {
    const std::lock_guard lock(mutex_);
    const TreeUse& use = watched->use;
    const TreeUse& most = watched->most;
    if (IsBeyond(use, watched->tolerated)) {
      const bool far = Less(use.bytes, most.bytes) > std::max(most.bytes, kFarBeyond);
      verdict = far ? Extent::kSandbox : Extent::kPrograms;
    } else if (watched->halting == Extent::kNothing) {
      // What was removed stays removed.
      watched->Tolerate();
    }
  }
  if (verdict != Extent::kNothing) Halt(watched, verdict, kReached);
}

}  // namespace cordon::provision
