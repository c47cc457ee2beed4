// What must hold whenever a process has started and nothing is going on.
#pragma once

#include "store/store.h"
#include "tests/lifecycle/fake_driver.h"

namespace cordon::provision {

// No object without a record that wants it, no record without what it says is there, nothing half
// done, no cap exceeded, no conversation that was not founded.
void ExpectSettled(store::Store& store, FakeDriver& driver, std::size_t most_per_user);

}  // namespace cordon::provision
