// One race: a server, a client and an attacker for some seconds.
#pragma once

#include <string>
#include <vector>

#include "tests/mcp/race/client.h"

namespace cordon::testing {

struct Plan {
  std::vector<Request> requests;
  Reach reach;
};

struct Contest {
  Heard heard;
  unsigned long changes = 0;         // by the attacker
  unsigned rounds = 0, intact = 0;   // at whose end the attack was still possible
  std::vector<std::string> escapes;  // what was told or touched that must not be
  std::string failure;               // set: the server did not do its part

  std::string Text() const;
};

// In rounds of a fraction of a second; after each the inside is looked at and put back.
// Requests of a round are the next of `plans`. Ends early when something escaped.
Contest Hold(Arena& arena, Client& client, const std::vector<Plan>& plans, double seconds);

}  // namespace cordon::testing
