// How the file system under a directory compares names.
#pragma once

#include "path/name_rules.h"

namespace cordon::platform {

// Never fails: what cannot be found out, or is not known to compare bytes, is
// assumed to follow every rule.
path::NameRules NameRulesOf(int directory);

}  // namespace cordon::platform
