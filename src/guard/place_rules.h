// Deny rules that follow from where the configured places are, not from the
// configuration's own rules.
#pragma once

#include <vector>

#include "guard/boundary.h"
#include "policy/deny_list.h"
#include "policy/settings.h"

namespace cordon::guard {

// Who is bound by a workspace's own rules may not take them away for the next time.
policy::DenyRule WorkspaceFileRule();

// For what a client's own roots leave out of `place`, a real path.
policy::DenyRule LeftOutRule(const std::string& place);

// A place below another keeps its own terms whichever way, relative path, ".."
// and link included, a request reaches it through the outer one: the rules that
// `outer`, a real path, must follow beside the shared ones. Cordon's own directories
// (settings.own, by their real paths) are out of reach likewise.
std::vector<policy::DenyRule> RulesForNested(const std::string& outer,
                                             const std::vector<Boundary::Place>& places,
                                             const policy::Settings& settings);

// And the other way round: what the places that contain `inner` say of what lies in it.
// Naming it by its own path must not be a way round them.
std::vector<policy::DenyRule> RulesFromAround(const std::string& inner,
                                              const std::vector<Boundary::Place>& places,
                                              const policy::Settings& settings);

}  // namespace cordon::guard
