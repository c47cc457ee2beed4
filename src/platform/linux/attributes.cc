#include "platform/attributes.h"

#include <linux/limits.h>
#include <sys/xattr.h>

#include <cerrno>
#include <string>
#include <string_view>

#include "base/try.h"
#include "platform/linux/error_from_errno.h"

namespace cordon::platform {
namespace {

constexpr const char* kAccessList = "system.posix_acl_access";

// There is none, or the file system has no such thing.
bool IsNone(int error) { return error == ENODATA || error == EOPNOTSUPP; }

Status CopyAttribute(int from, int to, const char* name) {
  std::string value(XATTR_SIZE_MAX, '\0');
  const ssize_t size = ::fgetxattr(from, name, value.data(), value.size());
  if (size < 0) {
    if (IsNone(errno)) return {};  // removed meanwhile
    return ErrorFromErrno("fgetxattr", errno);
  }
  if (::fsetxattr(to, name, value.data(), static_cast<std::size_t>(size), 0) != 0) {
    return ErrorFromErrno("fsetxattr", errno);
  }
  return {};
}

Result<std::string> ReadValue(int fd, const char* name) {
  std::string value(XATTR_SIZE_MAX, '\0');
  const ssize_t size = ::fgetxattr(fd, name, value.data(), value.size());
  if (size < 0) return ErrorFromErrno("fgetxattr", errno);
  value.resize(static_cast<std::size_t>(size));
  return value;
}

bool IsKept(std::string_view name) { return name.starts_with("user.") || name == kAccessList; }

}  // namespace

Result<std::vector<Attribute>> ReadAttributes(int fd) {
  std::vector<Attribute> attributes;
  ssize_t size = ::flistxattr(fd, nullptr, 0);
  if (size == 0 || (size < 0 && IsNone(errno))) return attributes;
  std::string names(XATTR_LIST_MAX, '\0');
  size = ::flistxattr(fd, names.data(), names.size());
  if (size < 0) return ErrorFromErrno("flistxattr", errno);
  names.resize(static_cast<std::size_t>(size));
  for (std::size_t at = 0; at < names.size(); at = names.find('\0', at) + 1) {
    const char* name = names.c_str() + at;
    if (!IsKept(name)) continue;
    auto value = ReadValue(fd, name);
    if (value) {
      attributes.push_back({name, std::move(*value)});
    } else if (!IsNone(value.error().os_errno)) {  // else removed meanwhile
      return std::move(value.error());
    }
  }
  return attributes;
}

Status WriteAttributes(int fd, const std::vector<Attribute>& attributes) {
  for (const Attribute& attribute : attributes) {
    if (!IsKept(attribute.name)) return ErrorFromErrno("fsetxattr", EPERM);
    if (::fsetxattr(fd, attribute.name.c_str(), attribute.value.data(), attribute.value.size(),
                    0) != 0) {
      return ErrorFromErrno("fsetxattr", errno);
    }
  }
  return {};
}

Status CopyUserAttributes(int from, int to) {
  // Most files have none, which costs one call.
  ssize_t size = ::flistxattr(from, nullptr, 0);
  if (size == 0 || (size < 0 && IsNone(errno))) return {};
  std::string names(XATTR_LIST_MAX, '\0');
  size = ::flistxattr(from, names.data(), names.size());
  if (size < 0) return ErrorFromErrno("flistxattr", errno);
  names.resize(static_cast<std::size_t>(size));
  for (std::size_t at = 0; at < names.size(); at = names.find('\0', at) + 1) {
    const char* name = names.c_str() + at;
    if (std::string_view(name).starts_with("user.")) TRY(CopyAttribute(from, to, name));
  }
  return {};
}

Status CopyAccessList(int from, int to) {
  if (::fgetxattr(from, kAccessList, nullptr, 0) < 0) {
    if (IsNone(errno)) return RemoveAccessList(to);
    return ErrorFromErrno("fgetxattr", errno);
  }
  return CopyAttribute(from, to, kAccessList);
}

Status RemoveAccessList(int fd) {
  if (::fremovexattr(fd, kAccessList) == 0 || IsNone(errno)) return {};
  return ErrorFromErrno("fremovexattr", errno);
}

}  // namespace cordon::platform
