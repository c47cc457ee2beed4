// The boundary corpus and the race corpus, read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/support/setup.h"

namespace cordon::testing {

struct BoundaryCase {
  std::string id, platform, root, action, path, kind;
  std::vector<SetupStep> setup;
  std::optional<std::string> to, content, creates, removes;
  std::vector<std::string> flags, needs;  // `requires` of the file
  bool allow = false;

  bool HasFlag(std::string_view flag) const;
  bool Needs(std::string_view feature) const;
};

struct RaceCase {
  std::string id, action, path;
  std::vector<SetupStep> setup;
  bool swap = false;  // else: move
  std::string first, second;
};

// Every case of the file, in its order. A file that cannot be read or is not
// understood ends the program: no case may be lost silently.
const std::vector<BoundaryCase>& BoundaryCases();
const std::vector<RaceCase>& RaceCases();

// The id as a test's name.
std::string TestName(std::string_view id);

}  // namespace cordon::testing
