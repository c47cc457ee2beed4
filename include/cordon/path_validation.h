// What a path would meet, for people, logs and prompts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cordon/error.h"

namespace cordon {

// An Error put into words about one request.
struct PathRefusal {
  ErrorCode code = ErrorCode::kIoError;
  Violation violation = Violation::kNone;
  std::string message;     // for the person: what was asked, and which rule refused
  std::string ai_message;  // for the model: how to correct the call
  std::string rule;        // "boundary", "deny:.env"; may be empty
  bool security_violation = false;
  bool recoverable = false;

  static PathRefusal Of(const Error& error, std::string_view requested);
};

// Advice that holds for the moment it was given, and no longer: between it and an
// open by name, anything may have been swapped. Whoever wants the file opens it
// through Workspace, which checks and opens in one step.
struct PathValidation {
  bool allowed = false;
  bool exists = false;
  std::string absolute_path;     // real, without links; empty if refused
  std::string relative_path;     // below its root; "." is the root itself; empty if refused
  std::string violation_reason;  // empty if allowed
  std::optional<PathRefusal> error;

  explicit operator bool() const { return allowed; }
};

}  // namespace cordon
