#include <string>
#include <utility>

#include "base/printable.h"
#include "cordon/path_not_allowed.h"
#include "cordon/path_validation.h"

namespace cordon {

PathRefusal PathRefusal::Of(const Error& error, std::string_view requested) {
  PathRefusal refusal;
  refusal.code = error.code;
  refusal.violation = error.violation;
  refusal.message = error.Message(requested);
  refusal.ai_message = error.AiMessage();
  refusal.rule = error.rule;
  refusal.security_violation = error.security_violation();
  refusal.recoverable = error.recoverable();
  return refusal;
}

PathNotAllowedError::PathNotAllowedError(std::string_view path, Error error)
    : std::runtime_error("Path not allowed: " + Printable(path) +
                         ". Must be within ALLOWED_ROOT_DIRECTORY or DATA_DIR."),
      path_(path),
      error_(std::move(error)) {}

}  // namespace cordon
