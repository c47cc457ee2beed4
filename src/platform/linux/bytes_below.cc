#include <fcntl.h>
#include <fts.h>
#include <sys/stat.h>

#include <array>
#include <cstddef>

#include "platform/inside_sandbox.h"

namespace cordon::platform {
namespace {
constexpr std::size_t kMostEntries = 200'000;
}

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

}  // namespace cordon::platform
