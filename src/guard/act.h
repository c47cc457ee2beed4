// One thing an agent wants done, as everybody on its way needs to know it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "audit/record.h"
#include "cordon/operation.h"
#include "policy/tool_level.h"
#include "undo/operation.h"

namespace cordon::guard {

struct Call;

// Views must outlive it.
struct Act {
  const Call* call = nullptr;
  audit::Event event = audit::Event::kFileRead;
  Operation operation = Operation::kRead;
  std::string_view asked;                 // the path, as it came
  std::string_view target = {};           // of a rename, the other path; of a link, its text
  std::optional<undo::Kind> change = {};  // of one with an effect
  enum class Makes { kOne, kMissingParents } makes = Makes::kOne;  // of a mkdir
  // Of what only tells something: of a tree, a directory with all below it, or one file.
  enum class Tells { kObject, kTree } tells = Tells::kObject;
  std::string_view bytes = {};  // new content, or what is appended
  // What a rule on commands says of one, and which.
  enum class Ruled { kNot, kAllowed, kAsked } ruled = Ruled::kNot;
  std::string_view command_rule = {};
};

// Why an act went ahead, or did not.
struct Grounds {
  std::string_view rule = "boundary";
  audit::Tier tier = audit::Tier::kPolicy;
  std::string_view resolved = {};  // absolute, as far as known
};

}  // namespace cordon::guard
