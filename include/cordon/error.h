// What went wrong, as a value: a stable code, the kind of boundary violation
// if it was one, and enough for a person to find the cause.
#pragma once

#include <string>
#include <string_view>

namespace cordon {

// Stable names: logs and clients hold them. ErrorCodeName gives the
// wire form.
enum class ErrorCode {
  kPathOutsideProject,
  kPathDenied,
  kInvalidPath,
  kNotFound,
  kAlreadyExists,
  kNotADirectory,
  kIsADirectory,
  kNotARegularFile,
  kTooLarge,
  kNotText,
  kNoMatch,
  kAmbiguousMatch,
  kStaleFile,
  kPermissionDenied,
  kConsentDenied,
  kConsentUnavailable,
  kCommandBlocked,
  kCommandFailed,
  kTimeout,
  kLimitExceeded,
  kSandboxRequired,
  kUnknownTool,
  kInvalidArguments,
  kUnsupported,
  kIoError,
};

// How a request tried to cross the line; kNone for ordinary errors.
enum class Violation {
  kNone,
  kTraversal,
  kAbsolute,
  kSymlink,
  kHardlink,
  kRace,
  kEncoding,
  kCase,
  kUnicode,
  kDevice,
  kMount,
  kDenylist,
};

// "PATH_OUTSIDE_PROJECT" and so on.
std::string_view ErrorCodeName(ErrorCode code);
// "traversal" and so on; empty for kNone.
std::string_view ViolationName(Violation violation);

// Guarantees: no field ever holds the resolved name of something outside the
//   boundary, so every field may be shown to a model.
struct Error {
  ErrorCode code = ErrorCode::kIoError;
  Violation violation = Violation::kNone;
  std::string_view op;    // static text: the step that failed, e.g. "openat2"
  int os_errno = 0;       // 0 when the system was not involved
  std::string rule;       // the rule that refused: "boundary", "deny:.env"
  std::string component;  // the part of the request at fault, as asked for
  std::string detail;     // one sentence for a person

  // True when the request tried to cross the boundary or touch a denied name.
  bool security_violation() const;
  // True when a corrected call may succeed, so that a model should retry.
  bool recoverable() const;
  // For the person: what was refused and why.
  std::string Message(std::string_view requested) const;
  // For the model: how to correct the call.
  std::string AiMessage() const;
};

}  // namespace cordon
