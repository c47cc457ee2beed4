// What the program is called with, as far as only the launcher knows it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sandbox/spec.h"

namespace cordon::launch {

struct ProxyPorts {
  std::uint16_t http = 0, socks = 0;
};
// Names the proxies in the ways programs look for them; replaces what named others.
std::vector<std::string> WithProxies(std::vector<std::string> environment, const ProxyPorts& ports);

// Both; of one name the later one.
std::vector<std::string> WithMore(std::vector<std::string> environment,
                                  const std::vector<std::string>& more);

// Where the program may be: itself if it is a path, else in each directory of PATH.
std::vector<std::string> CandidatesFor(const std::string& program,
                                       const std::vector<std::string>& environment);

}  // namespace cordon::launch
