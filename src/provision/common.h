// What the parts of the life cycle share.
#pragma once

#include <chrono>
#include <memory>
#include <string_view>
#include <vector>

#include "provision/activity.h"
#include "provision/driver.h"
#include "provision/sandboxes.h"
#include "provision/states.h"
#include "provision/turns.h"

namespace cordon::provision {

struct Common {
  Policy policy;
  std::vector<std::shared_ptr<Driver>> drivers;
  States states;
  Turns turns = {};
  Activity activity;

  // Null: there is none of this name.
  std::shared_ptr<Driver> DriverOf(std::string_view name) const;
  // How long it may be idle, and live: as wished, but no longer than the policy says.
  std::chrono::milliseconds IdleOf(const Wish& wish) const;
  std::chrono::milliseconds LifetimeOf(const Wish& wish) const;
  // As the wish in its record says.
  std::chrono::milliseconds IdleOf(const store::Sandbox& sandbox) const;
};

}  // namespace cordon::provision
