// From what is asked for to what the kernel is told; and back, from what holds to facts.
#pragma once

#include <string>

#include "cordon/result.h"
#include "policy/network_rules.h"
#include "provision/driver.h"
#include "sandbox/resident_message.h"
#include "sandbox/spec.h"

namespace cordon::provision {

// `workspace`: the host's directory. `hidden`: where all of the driver's sandboxes are.
sandbox::Spec LocalSpec(const Terms& terms, const policy::NetworkRules& network,
                        const std::string& workspace, const std::string& hidden);

Isolation IsolationOf(const sandbox::LayerSet& layers);
Facts LocalFacts(const sandbox::Seen& seen, const std::string& handle);

}  // namespace cordon::provision
