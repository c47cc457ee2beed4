#include "platform/boot_id.h"

#include <cerrno>
#include <string>

#include "base/try.h"
#include "platform/file_io.h"
#include "platform/host.h"
#include "platform/linux/error_from_errno.h"

namespace cordon::platform {
namespace {

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

Result<BootId> CurrentBootId() {
  TRY_ASSIGN(const UniqueFd file, OpenHostFile("/proc/sys/kernel/random/boot_id"));
  std::array<char, 64> text{};
  TRY_ASSIGN(const std::size_t size, Read(file.get(), text));
  BootId id{};
  std::size_t digits = 0;
  for (std::size_t i = 0; i < size && digits < 2 * id.size(); ++i) {
    const int digit = HexDigit(text[i]);
    if (digit < 0) continue;
    id[digits / 2] = static_cast<std::uint8_t>(id[digits / 2] << 4 | digit);
    ++digits;
  }
  if (digits != 2 * id.size()) return ErrorFromErrno("boot_id", EIO);
  return id;
}

}  // namespace cordon::platform
