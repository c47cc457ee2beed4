#include <fcntl.h>
#include <fts.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdio>

#include "platform/inside_sandbox.h"

namespace cordon::platform {
namespace {
constexpr std::size_t kMostEntries = 200'000;
constexpr off_t kLongestLog = off_t{64} << 10;
}  // namespace

std::uint64_t BytesBelow(const std::string& path) {
  std::string start = path;
  const std::array<char*, 2> starts = {start.data(), nullptr};
  FTS* const tree = ::fts_open(starts.data(), FTS_PHYSICAL | FTS_XDEV | FTS_NOCHDIR, nullptr);
  if (tree == nullptr) return 0;
  std::uint64_t bytes = 0;
  std::size_t seen = 0;
  while (const FTSENT* entry = ::fts_read(tree)) {
    if (++seen > kMostEntries) break;
    if (entry->fts_info == FTS_DP || entry->fts_statp == nullptr) continue;
    bytes += static_cast<std::uint64_t>(entry->fts_statp->st_blocks) * 512;
  }
  ::fts_close(tree);
  return bytes;
}

void AppendToLog(const std::string& path, const std::string& bytes) {
  const UniqueFd file(::open(
      path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
  struct stat now = {};
  if (!file.valid() || ::fstat(file.get(), &now) != 0 || !S_ISREG(now.st_mode)) return;
  if (::write(file.get(), bytes.data(), bytes.size()) < 0) return;  // no room: it was only a log
  if (now.st_size > kLongestLog) ::rename(path.c_str(), (path + ".old").c_str());
}

}  // namespace cordon::platform
