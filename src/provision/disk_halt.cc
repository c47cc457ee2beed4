// What the watch says to sandboxes. An answer may be long in coming, or never come.
#include "provision/disk_watched.h"

namespace cordon::provision {

// With the lock.
void DiskWatch::AskWhetherItRuns(const std::shared_ptr<Watched>& watched) {
  watched->rest = Watched::Rest::kAsked;
  const bool goes = talks_->Submit([this, watched, wakes = watched->wakes] {
    const bool runs = hands_.runs(watched->id);
    const std::lock_guard lock(mutex_);
    // What began since may have been overlooked.
    const bool rests = !runs && watched->wakes == wakes;
    watched->rest = rests ? Watched::Rest::kFound : Watched::Rest::kUnknown;
    if (rests) watched->due = Clock::now();
  });
  if (!goes) watched->rest = Watched::Rest::kUnknown;
}

void DiskWatch::Halt(const std::shared_ptr<Watched>& watched, Extent extent, std::string_view why) {
  const std::lock_guard lock(mutex_);
  if (watched->forgotten || watched->halting >= extent) return;
  // If it does not go, the next look finds it again.
  if (!talks_->Submit([this, watched, extent, why] { CarryOut(watched, extent, why); })) return;
  watched->halting = extent;
  watched->ended = watched->ended || extent == Extent::kSandbox;
  ++watched->stops;
  watched->why = why;
  watched->stop_below = Less(watched->stop_below, kLastRoom / 4);
}

void DiskWatch::CarryOut(const std::shared_ptr<Watched>& watched, Extent extent,
                         std::string_view why) {
  (extent == Extent::kSandbox ? hands_.end : hands_.stop)(watched->id, why);
  static_cast<void>(Look(watched));
  const std::lock_guard lock(mutex_);
  watched->Tolerate();  // of whoever comes now: the others wrote it
  if (watched->halting == extent) watched->halting = Extent::kNothing;
  changed_.notify_all();
}

}  // namespace cordon::provision
