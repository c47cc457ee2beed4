// A directory's tree, bounded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "platform/file_stat.h"
#include "tools/outcome.h"
#include "tools/tool.h"

namespace cordon::tools {

// More entries than this are not even counted: kLimitExceeded.
inline constexpr std::size_t kMaxCounted = 200'000;

struct ListingRequest {
  std::string path;
  // Globs: of names anywhere, or with a slash of paths below the directory.
  std::vector<std::string> ignore;
  std::string match;  // a glob of paths: tell only these; empty: all
  std::size_t depth = 1;
  std::size_t limit = 1000;
  enum class Sort { kName, kModified, kSize };
  Sort sort = Sort::kName;
};

struct ListedEntry {
  std::string path;
  platform::FileStat stat;
  std::uint64_t left_out = 0;  // entries right below that the depth hides
};

struct Listing {
  std::vector<ListedEntry> entries;  // each directory before what is below it
  std::size_t total = 0;
  std::size_t ignored = 0;
};

Attempt<Listing> ListTree(Context& context, const ListingRequest& request);

}  // namespace cordon::tools
