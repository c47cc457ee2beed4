#include "platform/link.h"

#include <linux/magic.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "platform/linux/error_from_errno.h"

namespace cordon::platform {

Result<std::string> ReadLinkText(int link) {
  std::array<char, 4096> buffer;
  const ssize_t size = ::readlinkat(link, "", buffer.data(), buffer.size());
  if (size < 0) return ErrorFromErrno("readlinkat", errno);
  // A text that fills the buffer may be cut: using it would lead elsewhere.
  if (static_cast<std::size_t>(size) == buffer.size()) {
    return ErrorFromErrno("readlinkat", ENAMETOOLONG);
  }
  return std::string(buffer.data(), static_cast<std::size_t>(size));
}

bool IsMagicLink(int link) {
  struct statfs info;
  if (::fstatfs(link, &info) != 0) return true;
  return info.f_type == PROC_SUPER_MAGIC;
}

Status MakeLink(const char* text, int directory, const char* name) {
  if (::symlinkat(text, directory, name) != 0) return ErrorFromErrno("symlinkat", errno);
  return {};
}

}  // namespace cordon::platform
