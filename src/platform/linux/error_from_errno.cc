#include "platform/linux/error_from_errno.h"

#include <cerrno>
#include <system_error>

namespace cordon::platform {
namespace {

ErrorCode CodeOf(int os_errno) {
  switch (os_errno) {
    case ENOENT: return ErrorCode::kNotFound;
    case EEXIST:
    case ENOTEMPTY: return ErrorCode::kAlreadyExists;
    case ENOTDIR: return ErrorCode::kNotADirectory;
    case EISDIR: return ErrorCode::kIsADirectory;
    case ENXIO:
    case ENODEV: return ErrorCode::kNotARegularFile;
    case EACCES:
    case EPERM:
    case EROFS:
    case EBUSY:
    case ETXTBSY: return ErrorCode::kPermissionDenied;
    case ENAMETOOLONG:
    case ELOOP:
    case EILSEQ: return ErrorCode::kInvalidPath;
    case EFBIG:
    case EOVERFLOW: return ErrorCode::kTooLarge;
    case EMFILE:
    case ENFILE:
    case ENOSPC:
    case EDQUOT:
    case ENOMEM:
    case EMLINK: return ErrorCode::kLimitExceeded;
    case ENOSYS:
    case EOPNOTSUPP: return ErrorCode::kUnsupported;
    case EAGAIN: return ErrorCode::kTimeout;
    default: return ErrorCode::kIoError;
  }
}

}  // namespace

Error ErrorFromErrno(std::string_view op, int os_errno) {
  Error error;
  error.code = CodeOf(os_errno);
  error.op = op;
  error.os_errno = os_errno;
  error.detail = std::generic_category().message(os_errno);
  return error;
}

}  // namespace cordon::platform
