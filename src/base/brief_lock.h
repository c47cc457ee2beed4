// For mutexes that are held for less than it takes to sleep and wake.
#pragma once

#include <mutex>

namespace cordon {

// Looks for a while before it sleeps.
inline std::unique_lock<std::mutex> LockBriefly(std::mutex& mutex) {
  constexpr int kLooks = 100;
  for (int look = 0; look < kLooks; ++look) {
    std::unique_lock lock(mutex, std::try_to_lock);
    if (lock) return lock;
  }
  return std::unique_lock(mutex);
}

}  // namespace cordon
