#include "platform/directory.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>

#include "base/try.h"
#include "platform/linux/error_from_errno.h"
#include "platform/open.h"

namespace cordon::platform {
namespace {

FileType TypeOf(unsigned char type) {
  switch (type) {
    case DT_REG: return FileType::kRegular;
    case DT_DIR: return FileType::kDirectory;
    case DT_LNK: return FileType::kSymlink;
    case DT_FIFO: return FileType::kFifo;
    case DT_SOCK: return FileType::kSocket;
    case DT_BLK:
    case DT_CHR: return FileType::kDevice;
    default: return FileType::kUnknown;
  }
}

// As the kernel lays an entry out; the name follows, ended by NUL.
struct RawEntry {
  std::uint64_t inode;
  std::int64_t position;
  std::uint16_t length;
  std::uint8_t type;
};
constexpr std::size_t kNameOffset = offsetof(RawEntry, type) + 1;

struct CloseStream {
  void operator()(DIR* stream) const { ::closedir(stream); }
};

}  // namespace

Status MakeDirectory(int directory, const char* name, std::uint32_t mode) {
  if (::mkdirat(directory, name, mode) != 0) return ErrorFromErrno("mkdirat", errno);
  return {};
}

Status RemoveFile(int directory, const char* name) {
  if (::unlinkat(directory, name, 0) != 0) return ErrorFromErrno("unlinkat", errno);
  return {};
}

Status RemoveDirectory(int directory, const char* name) {
  if (::unlinkat(directory, name, AT_REMOVEDIR) != 0) return ErrorFromErrno("unlinkat", errno);
  return {};
}

Status RenameEntry(int from, const char* name, int to, const char* new_name) {
  if (::renameat(from, name, to, new_name) != 0) return ErrorFromErrno("renameat", errno);
  return {};
}

Status RenameNoReplace(int from, const char* name, int to, const char* new_name) {
  if (::renameat2(from, name, to, new_name, RENAME_NOREPLACE) == 0) return {};
  return ErrorFromErrno("renameat2", errno);
}

Status ExchangeEntries(int first, const char* first_name, int second, const char* second_name) {
  if (::renameat2(first, first_name, second, second_name, RENAME_EXCHANGE) == 0) return {};
  return ErrorFromErrno("renameat2", errno);
}

Status LinkEntry(int from, const char* name, int to, const char* new_name) {
  if (::linkat(from, name, to, new_name, 0) != 0) return ErrorFromErrno("linkat", errno);
  return {};
}

Status ReadEntries(int directory,
                   const std::function<ReadMore(std::string_view, FileType)>& entry) {
  // A stream of its own: it takes the descriptor over and starts at the beginning.
  TRY_ASSIGN(UniqueFd own, ReopenDirectory(directory));
  const std::unique_ptr<DIR, CloseStream> stream(::fdopendir(own.get()));
  if (!stream) return ErrorFromErrno("fdopendir", errno);
  static_cast<void>(own.release());
  while (true) {
    errno = 0;
    // One stream, one thread: readdir is safe here.
    const dirent* found = ::readdir(stream.get());  // NOLINT(concurrency-mt-unsafe)
    if (found == nullptr) {
      if (errno != 0) return ErrorFromErrno("readdir", errno);
      return {};
    }
    const std::string_view name = found->d_name;
    if (name == "." || name == "..") continue;
    if (entry(name, TypeOf(found->d_type)) == ReadMore::kStop) return {};
  }
}

Status ReadEntriesInto(int directory, std::span<char> buffer,
                       const std::function<ReadMore(std::string_view, FileType)>& entry) {
  while (true) {
    const long count = ::syscall(SYS_getdents64, directory, buffer.data(), buffer.size());
    if (count < 0) return ErrorFromErrno("getdents64", errno);
    if (count == 0) return {};
    const auto filled = static_cast<std::size_t>(count);
    for (std::size_t at = 0; at + kNameOffset < filled;) {
      RawEntry raw;
      std::memcpy(&raw, buffer.data() + at, kNameOffset);
      const std::string_view name(buffer.data() + at + kNameOffset);
      if (raw.length == 0) return ErrorFromErrno("getdents64", EIO);
      at += raw.length;
      if (name == "." || name == "..") continue;
      if (entry(name, TypeOf(raw.type)) == ReadMore::kStop) return {};
    }
  }
}

}  // namespace cordon::platform
