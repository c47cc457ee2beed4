// How long it takes to be given a sandbox that was made ahead.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "provision/driver.h"
#include "provision/wish.h"

namespace cordon::bench {

// Milliseconds of each round, with the pool full and at rest before it. `wish`: what the pool
// holds, and what is asked for.
std::vector<double> HandOuts(const std::shared_ptr<provision::Driver>& driver,
                             const provision::Wish& wish, int rounds);

}  // namespace cordon::bench
