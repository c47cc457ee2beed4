// The rules of one place, said again for a place that lies below it.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "policy/deny_list.h"

namespace cordon::policy {

// What `rules` deny at "way/x", the result denies at "x"; if they cover `way` itself,
// everything. Names of `way` are taken for a match under any name rules: it errs
// towards denying, as it does with a pattern that does not compile.
std::vector<DenyRule> RulesBelow(std::span<const DenyRule> rules, std::string_view way);

}  // namespace cordon::policy
