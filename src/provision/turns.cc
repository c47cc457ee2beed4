#include "provision/turns.h"

namespace cordon::provision {

Turns::Turn Turns::Take(const SandboxId& id) {
  Places::iterator place;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    place = places_.try_emplace(id).first;
    ++place->second.wanted;
  }
  return Turn(*this, place);
}

Turns::Turn::Turn(Turns& turns, Places::iterator place) : turns_(turns), place_(place) {
  place_->second.busy.lock();
}

Turns::Turn::~Turn() {
  place_->second.busy.unlock();
  const std::lock_guard<std::mutex> lock(turns_.mutex_);
  if (--place_->second.wanted == 0) turns_.places_.erase(place_);
}

}  // namespace cordon::provision
