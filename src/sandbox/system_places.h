// What of a machine commands read although it is in no workspace: programs, libraries,
// and the tools a person has installed for themselves.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox/spec.h"

namespace cordon::sandbox {

// In /dev: what every command has.
inline constexpr std::array<const char*, 6> kDevices = {"null",   "zero",    "full",
                                                        "random", "urandom", "tty"};

// Those that exist, all for reading. `home`: the person's; "": none. `search_path`: the
// value of PATH, whose directories below the home are added.
std::vector<Place> SystemPlaces(std::string_view home, std::string_view search_path);

// Those of `paths` at which there is something.
std::vector<std::string> Existing(std::vector<std::string> paths);

// What even of those is nobody's business, by absolute path, as far as it exists.
std::vector<std::string> SystemSecrets();

}  // namespace cordon::sandbox
