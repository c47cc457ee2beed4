#include "provision/common.h"

#include <algorithm>

namespace cordon::provision {

std::shared_ptr<Driver> Common::DriverOf(std::string_view name) const {
  const auto found = std::find_if(drivers.begin(), drivers.end(),
                                  [&](const auto& driver) { return driver->name() == name; });
  return found == drivers.end() ? nullptr : *found;
}

std::chrono::milliseconds Common::IdleOf(const Wish& wish) const {
  return std::min(wish.idle.value_or(policy.idle), policy.idle);
}

std::chrono::milliseconds Common::LifetimeOf(const Wish& wish) const {
  return std::min(wish.lifetime.value_or(policy.lifetime), policy.lifetime);
}

std::chrono::milliseconds Common::IdleOf(const store::Sandbox& sandbox) const {
  const auto wish = DecodeWish(sandbox.terms);
  return wish ? IdleOf(*wish) : policy.idle;
}

}  // namespace cordon::provision
