#include "cordon/error.h"

namespace cordon {

std::string_view ErrorCodeName(ErrorCode code) {
  switch (code) {
    case ErrorCode::kPathOutsideProject: return "PATH_OUTSIDE_PROJECT";
    case ErrorCode::kPathDenied: return "PATH_DENIED";
    case ErrorCode::kInvalidPath: return "INVALID_PATH";
    case ErrorCode::kNotFound: return "NOT_FOUND";
    case ErrorCode::kAlreadyExists: return "ALREADY_EXISTS";
    case ErrorCode::kNotADirectory: return "NOT_A_DIRECTORY";
    case ErrorCode::kIsADirectory: return "IS_A_DIRECTORY";
    case ErrorCode::kNotARegularFile: return "NOT_A_REGULAR_FILE";
    case ErrorCode::kTooLarge: return "TOO_LARGE";
    case ErrorCode::kNotText: return "NOT_TEXT";
    case ErrorCode::kNoMatch: return "NO_MATCH";
    case ErrorCode::kAmbiguousMatch: return "AMBIGUOUS_MATCH";
    case ErrorCode::kStaleFile: return "STALE_FILE";
    case ErrorCode::kPermissionDenied: return "PERMISSION_DENIED";
    case ErrorCode::kConsentDenied: return "CONSENT_DENIED";
    case ErrorCode::kConsentUnavailable: return "CONSENT_UNAVAILABLE";
    case ErrorCode::kCommandBlocked: return "COMMAND_BLOCKED";
    case ErrorCode::kCommandFailed: return "COMMAND_FAILED";
    case ErrorCode::kTimeout: return "TIMEOUT";
    case ErrorCode::kLimitExceeded: return "LIMIT_EXCEEDED";
    case ErrorCode::kSandboxRequired: return "SANDBOX_REQUIRED";
    case ErrorCode::kUnknownTool: return "UNKNOWN_TOOL";
    case ErrorCode::kInvalidArguments: return "INVALID_ARGUMENTS";
    case ErrorCode::kUnsupported: return "UNSUPPORTED";
    case ErrorCode::kIoError: return "IO_ERROR";
  }
  return "IO_ERROR";
}

std::string_view ViolationName(Violation violation) {
  switch (violation) {
    case Violation::kNone: return "";
    case Violation::kTraversal: return "traversal";
    case Violation::kAbsolute: return "absolute";
    case Violation::kSymlink: return "symlink";
    case Violation::kHardlink: return "hardlink";
    case Violation::kRace: return "race";
    case Violation::kEncoding: return "encoding";
    case Violation::kCase: return "case";
    case Violation::kUnicode: return "unicode";
    case Violation::kDevice: return "device";
    case Violation::kMount: return "mount";
    case Violation::kDenylist: return "denylist";
  }
  return "";
}

bool Error::security_violation() const {
  return code == ErrorCode::kPathOutsideProject || code == ErrorCode::kPathDenied ||
         violation != Violation::kNone;
}

bool Error::recoverable() const {
  switch (code) {
    case ErrorCode::kPathOutsideProject:
    case ErrorCode::kInvalidPath:
    case ErrorCode::kNotFound:
    case ErrorCode::kAlreadyExists:
    case ErrorCode::kNotADirectory:
    case ErrorCode::kIsADirectory:
    case ErrorCode::kNotARegularFile:
    case ErrorCode::kTooLarge:
    case ErrorCode::kNotText:
    case ErrorCode::kNoMatch:
    case ErrorCode::kAmbiguousMatch:
    case ErrorCode::kStaleFile:
    case ErrorCode::kTimeout:
    case ErrorCode::kUnknownTool:
    case ErrorCode::kInvalidArguments: return true;
    case ErrorCode::kPathDenied:
    case ErrorCode::kPermissionDenied:
    case ErrorCode::kConsentDenied:
    case ErrorCode::kConsentUnavailable:
    case ErrorCode::kCommandBlocked:
    case ErrorCode::kCommandFailed:
    case ErrorCode::kLimitExceeded:
    case ErrorCode::kSandboxRequired:
    case ErrorCode::kUnsupported:
    case ErrorCode::kIoError: return false;
  }
  return false;
}

std::string Error::Message(std::string_view requested) const {
  std::string text = "Path \"";
  text += requested;
  text += "\": ";
  text += detail.empty() ? std::string(ErrorCodeName(code)) : detail;
  if (!rule.empty()) text += " (rule " + rule + ")";
  return text;
}

std::string Error::AiMessage() const {
  switch (code) {
    case ErrorCode::kPathOutsideProject:
      return "The path you specified is outside the project directory. Use a path relative to the "
             "project root, for example \"src/file.ts\".";
    case ErrorCode::kPathDenied:
      return "This path is protected by the workspace's rules and cannot be used. Do not retry; "
             "work without it or ask the user.";
    case ErrorCode::kInvalidPath:
      return "The path is not valid. Use a plain relative path without control bytes.";
    case ErrorCode::kNotFound:
      return "Nothing exists at this path. List the directory to see what is there.";
    case ErrorCode::kAlreadyExists: return "Something already exists at this path.";
    case ErrorCode::kNotADirectory:
      return "A part of this path that must be a directory is not one.";
    case ErrorCode::kIsADirectory: return "This path is a directory, not a file.";
    case ErrorCode::kNotARegularFile:
      return "This path is not a regular file and cannot be opened.";
    case ErrorCode::kTimeout: return "The directory is being changed by something else. Try again.";
    default: return detail.empty() ? std::string(ErrorCodeName(code)) : detail;
  }
}

}  // namespace cordon
