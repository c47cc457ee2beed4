#include "cordon/error.h"

#include "base/printable.h"

namespace cordon {
namespace {

// What happened, for a person, where the place that failed said nothing itself.
std::string_view PlainWords(ErrorCode code) {
  switch (code) {
    case ErrorCode::kPathOutsideProject: return "outside the workspace";
    case ErrorCode::kPathDenied: return "protected by a rule";
    case ErrorCode::kInvalidPath: return "not a valid path";
    case ErrorCode::kNotFound: return "nothing exists there";
    case ErrorCode::kAlreadyExists: return "something exists there already";
    case ErrorCode::kNotADirectory: return "a part that must be a directory is not one";
    case ErrorCode::kIsADirectory: return "a directory, not a file";
    case ErrorCode::kNotARegularFile: return "not a regular file";
    case ErrorCode::kTooLarge: return "too large";
    case ErrorCode::kNotText: return "not text";
    case ErrorCode::kNoMatch: return "nothing matches";
    case ErrorCode::kAmbiguousMatch: return "more than one place matches";
    case ErrorCode::kStaleFile: return "the file has changed since it was read";
    case ErrorCode::kPermissionDenied: return "permission denied";
    case ErrorCode::kConsentDenied: return "refused by the person asked";
    case ErrorCode::kConsentUnavailable: return "nobody could be asked";
    case ErrorCode::kCommandBlocked: return "the command is blocked";
    case ErrorCode::kCommandFailed: return "the command failed";
    case ErrorCode::kTimeout: return "the path kept changing";
    case ErrorCode::kLimitExceeded: return "a limit was exceeded";
    case ErrorCode::kSandboxRequired: return "needs a sandbox";
    case ErrorCode::kUnknownTool: return "unknown tool";
    case ErrorCode::kInvalidArguments: return "invalid arguments";
    case ErrorCode::kUnsupported: return "this system cannot do it safely";
    case ErrorCode::kIoError: return "the system reported an error";
  }
  return "the system reported an error";
}

// What a model should do next. Fixed text: nothing that was asked for, and
// nothing the file system holds, can speak through it.
std::string_view Advice(ErrorCode code) {
  switch (code) {
    case ErrorCode::kPathOutsideProject:
      return "The path you specified is outside the project directory. Use a path relative to the "
             "project root, for example \"src/file.ts\" instead of \"../../../etc/passwd\".";
    case ErrorCode::kPathDenied:
      return "This path is protected by the workspace's rules and cannot be used under any "
             "spelling. Do not retry; work without it or ask the user.";
    case ErrorCode::kInvalidPath:
      return "The path is not valid. Use a plain, non-empty relative path without control bytes.";
    case ErrorCode::kNotFound:
      return "Nothing exists at this path. List the directory to see what is there.";
    case ErrorCode::kAlreadyExists:
      return "Something already exists at this path. Choose another name, or use an operation "
             "that changes what exists.";
    case ErrorCode::kNotADirectory:
      return "A part of this path that must be a directory is not one. List its parent to see "
             "what is there.";
    case ErrorCode::kIsADirectory:
      return "This path is a directory, not a file. List it, or name a file below it.";
    case ErrorCode::kNotARegularFile:
      return "This path is not a regular file and cannot be opened. Use an ordinary file.";
    case ErrorCode::kTooLarge: return "This is larger than the limit. Work on a part of it.";
    case ErrorCode::kNotText: return "This file is not text and cannot be used as text.";
    case ErrorCode::kNoMatch: return "Nothing matches. Read the file again and quote it exactly.";
    case ErrorCode::kAmbiguousMatch:
      return "More than one place matches. Quote more of the text around the one you mean.";
    case ErrorCode::kStaleFile:
      return "The file has changed since you read it. Read it again before you change it.";
    case ErrorCode::kPermissionDenied:
      return "The operation is not permitted here. Do not retry; work without it or ask the user.";
    case ErrorCode::kConsentDenied:
      return "The user refused this operation. Do not retry it; ask how to go on.";
    case ErrorCode::kConsentUnavailable:
      return "This operation needs the user's consent and nobody can be asked. Stay inside the "
             "project directory.";
    case ErrorCode::kCommandBlocked: return "This command is blocked. Do not retry it.";
    case ErrorCode::kCommandFailed: return "The command failed. Its output says why.";
    case ErrorCode::kTimeout: return "The path is being changed by something else. Try again.";
    case ErrorCode::kLimitExceeded: return "A limit was exceeded. Ask for less at a time.";
    case ErrorCode::kSandboxRequired:
      return "This operation requires a sandbox environment. Please refresh and try again.";
    case ErrorCode::kUnknownTool: return "There is no tool of this name. Use one that is listed.";
    case ErrorCode::kInvalidArguments: return "The arguments are not valid for this operation.";
    case ErrorCode::kUnsupported: return "This system cannot do this safely. Do not retry.";
    case ErrorCode::kIoError: return "The operation failed in the system. Tell the user.";
  }
  return "The operation failed.";
}

// How a request crossed the line, as far as knowing it helps to correct the call.
std::string_view AdviceOn(Violation violation) {
  switch (violation) {
    case Violation::kTraversal: return "The \"..\" parts of the path lead above the root.";
    case Violation::kAbsolute: return "Absolute paths work only below the project root.";
    case Violation::kSymlink:
      return "A symbolic link on the path leads outside; it cannot be followed.";
    case Violation::kHardlink:
      return "The file is shared under another name (hard link) and is off limits.";
    case Violation::kRace: return "The path was changed while it was being opened.";
    case Violation::kEncoding: return "Remove the bytes that no file name can hold.";
    case Violation::kDevice: return "Devices are off limits.";
    case Violation::kMount: return "Another file system is mounted there; it is off limits.";
    case Violation::kNone:
    case Violation::kCase:
    case Violation::kUnicode:
    case Violation::kDenylist: return "";
  }
  return "";
}

// Where only the place that failed can say what to do differently.
bool DetailHelps(ErrorCode code) {
  return code == ErrorCode::kTooLarge || code == ErrorCode::kLimitExceeded ||
         code == ErrorCode::kInvalidArguments || code == ErrorCode::kUnsupported ||
         code == ErrorCode::kInvalidPath || code == ErrorCode::kCommandBlocked;
}

}  // namespace

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
  std::string text = "Path " + Quoted(requested) + ": ";
  text += detail.empty() ? std::string(PlainWords(code)) : Printable(detail);
  // The component is worth naming only where it is not the whole request.
  if (!component.empty() && component != requested) text += ", at " + Quoted(component);
  if (!rule.empty()) text += " (rule " + Printable(rule) + ")";
  return text;
}

std::string Error::AiMessage() const {
  std::string text(Advice(code));
  if (DetailHelps(code) && !detail.empty()) text += " (" + Printable(detail) + ")";
  const std::string_view how = AdviceOn(violation);
  if (!how.empty()) {
    text += ' ';
    text += how;
  }
  return text;
}

}  // namespace cordon
