#include "confine/refusal.h"

#include <cerrno>
#include <string>
#include <utility>

namespace cordon::confine {
namespace {

Error Refusal(ErrorCode code, Violation violation, std::string_view rule,
              std::string_view component, std::string detail) {
  Error error;
  error.code = code;
  error.violation = violation;
  error.op = "resolve";
  error.rule = rule;
  error.component = component;
  error.detail = std::move(detail);
  return error;
}

}  // namespace

Error OutsideError(Violation how, std::string_view component) {
  return Refusal(ErrorCode::kPathOutsideProject, how, "boundary", component,
                 how == Violation::kSymlink ? "a symbolic link leads outside the root"
                                            : "\"..\" leads above the root");
}

Error DeniedError(const policy::DenyList::Match& match) {
  std::string detail = "a deny rule covers this path";
  if (!match.rule->reason.empty()) detail += ": " + match.rule->reason;
  return Refusal(ErrorCode::kPathDenied, Violation::kDenylist, "deny:" + match.rule->pattern,
                 match.name, std::move(detail));
}

Error MountError(std::string_view component) {
  return Refusal(ErrorCode::kPathDenied, Violation::kMount, "mount", component,
                 "another file system is mounted here");
}

Error LoopError() {
  Error error = Refusal(ErrorCode::kInvalidPath, Violation::kNone, "", "",
                        "too many symbolic links, or a loop of them");
  error.os_errno = ELOOP;
  return error;
}

Error RaceError() {
  Error error = Refusal(ErrorCode::kTimeout, Violation::kRace, "boundary", "",
                        "the path kept changing while it was resolved");
  error.os_errno = EAGAIN;
  return error;
}

Error NotADirectoryError(std::string_view component) {
  Error error = Refusal(ErrorCode::kNotADirectory, Violation::kNone, "", component,
                        "this part of the path is not a directory");
  error.os_errno = ENOTDIR;
  return error;
}

Error IsADirectoryError() {
  return Refusal(ErrorCode::kIsADirectory, Violation::kNone, "", "", "this is a directory");
}

Error NameTooLongError(std::string_view component) {
  Error error = Refusal(ErrorCode::kInvalidPath, Violation::kNone, "path-grammar", component,
                        "a name is longer than the file system can hold");
  error.os_errno = ENAMETOOLONG;
  return error;
}

Error BadNameError(std::string_view component) {
  return Refusal(ErrorCode::kInvalidPath, Violation::kNone, "path-grammar", component,
                 "the last component must be a name of its own");
}

Error ProtectedBelowError(std::string_view component) {
  return Refusal(ErrorCode::kPathDenied, Violation::kDenylist, "deny-list", component,
                 "a deny rule covers something below this directory");
}

Status CheckWritable(const RootState& root, Operation operation) {
  if (root.options.access == RootAccess::kReadWrite || IsReadOnly(operation)) return {};
  return Refusal(ErrorCode::kPathDenied, Violation::kNone, "read-only-root", "",
                 "this root is read-only");
}

Status CheckRegular(const RootState& root, const platform::FileStat& stat, WriteStyle style) {
  using platform::FileType;
  if (stat.type == FileType::kDirectory) return IsADirectoryError();
  if (stat.type != FileType::kRegular) {
    const bool device = stat.type == FileType::kDevice;
    return Refusal(ErrorCode::kNotARegularFile, device ? Violation::kDevice : Violation::kNone,
                   "file-type", "", "only regular files can be opened");
  }
  if (stat.links <= 1) return {};
  const bool refused =
      root.options.hard_links == policy::HardLinks::kRefuse || style == WriteStyle::kInPlace;
  if (!refused) return {};
  return Refusal(ErrorCode::kPathDenied, Violation::kHardlink, "hard-link", "",
                 "the file has other names, which may be outside the root");
}

Error ExplainNotFound(const RootState& root, Error error) {
  if (error.os_errno != ENOENT) return error;
  const auto stat = platform::StatDescriptor(root.directory.get());
  if (stat && stat->links == 0) {
    error.rule = "root";
    error.detail = "the root directory itself was removed";
  }
  return error;
}

}  // namespace cordon::confine
