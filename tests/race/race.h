// Runs an operation again and again while an attacker changes its path.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "confine/root.h"
#include "tests/support/attacker.h"
#include "tests/support/resolvers.h"

namespace cordon::testing {

// What one attempt came to.
struct Attempt {
  bool done = false;    // the operation succeeded
  std::string escape;   // set: it saw or touched what it must not
  std::string refusal;  // set: why it was refused
};

struct Tally {
  unsigned long done = 0, refused = 0, changes = 0;
  std::map<std::string, unsigned long> refusals;
  std::vector<std::string> escapes;
  double longest_ms = 0;
  std::string Text() const;
};

// CORDON_RACE_SECONDS, or 3.
double RaceSeconds();

// Attempts until `seconds` are over.
Tally Race(const std::vector<Contested>& contested, double seconds,
           const std::function<Attempt()>& attempt);

// No escape, no call that hangs, and the work gets done in between.
void ExpectHeld(const Tally& tally);

// A status as an attempt.
Attempt FromStatus(const Status& status);
// A read: anything but "inside" is an escape.
Attempt FromRead(const Result<std::string>& content);

}  // namespace cordon::testing
