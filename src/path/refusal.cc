#include "path/refusal.h"

#include <utility>

#include "path/posix.h"

namespace cordon::path {

Error InvalidPath(std::string_view component, std::string detail, Violation violation) {
  Error error;
  error.code = ErrorCode::kInvalidPath;
  error.violation = violation;
  error.op = "parse";
  error.rule = "path-grammar";
  error.component = component;
  error.detail = std::move(detail);
  return error;
}

Error DeviceName(std::string_view component) {
  return InvalidPath(component, "the name stands for a device", Violation::kDevice);
}

Error OutsidePath(std::string_view component, std::string detail, Violation violation) {
  Error error;
  error.code = ErrorCode::kPathOutsideProject;
  error.violation = violation;
  error.op = "parse";
  error.rule = "boundary";
  error.component = component;
  error.detail = std::move(detail);
  return error;
}

Status CheckText(std::string_view untrusted) {
  if (untrusted.empty()) return InvalidPath("", "the path is empty");
  if (untrusted.size() > kMaxPathBytes) {
    return InvalidPath("", "the path is longer than " + std::to_string(kMaxPathBytes) + " bytes");
  }
  if (untrusted.find('\0') != std::string_view::npos) {
    return InvalidPath("", "the path contains a NUL byte", Violation::kEncoding);
  }
  return {};
}

}  // namespace cordon::path
