#include "audit/failure.h"

namespace cordon::audit {
namespace {

Error Refusal(std::string detail) {
  Error error;
  error.code = ErrorCode::kIoError;
  error.op = "audit";
  error.rule = "audit";
  error.detail = std::move(detail);
  return error;
}

}  // namespace

Error CannotWrite(const Error& cause) {
  if (cause.rule == "audit") return cause;
  Error error = Refusal("the audit log cannot be written (" + cause.detail +
                        "), so the operation was refused");
  error.os_errno = cause.os_errno;
  return error;
}

Error CannotOpen(const Error& cause) {
  if (cause.rule == "audit") return cause;
  Error error = Refusal("the audit log cannot be opened (" + cause.detail + ")");
  error.os_errno = cause.os_errno;
  error.component = cause.component;
  switch (cause.code) {
    case ErrorCode::kPermissionDenied:
    case ErrorCode::kNotARegularFile:
    case ErrorCode::kInvalidArguments:
    case ErrorCode::kUnsupported: error.code = cause.code; break;
    default: break;
  }
  return error;
}

Error Damaged(std::string_view what) {
  return Refusal("the audit log is damaged (" + std::string(what) +
                 "), so the operation was refused; `cordon audit verify` tells more");
}

}  // namespace cordon::audit
