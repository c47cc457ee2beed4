// Copies through the guard, a file or a tree, all of it or nothing.
#pragma once

#include <cstdint>
#include <string_view>

#include "tools/outcome.h"
#include "tools/tool.h"

namespace cordon::tools {

inline constexpr std::size_t kMaxCopiedEntries = 10'000;
inline constexpr std::uint64_t kMaxCopiedBytes = 1u << 30;

struct CopyOptions {
  guard::WriteOptions::Existing existing = guard::WriteOptions::Existing::kRefuse;
  enum class Depth { kFile, kAll };
  Depth depth = Depth::kFile;
};

struct Copied {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
};

// What was made before a failure is removed again. A tree's destination must not exist.
// Errors: kIsADirectory for a directory without kAll; kLimitExceeded; kTooLarge for a
//   file beyond kMaxWholeFile; those of the guard, at the path they are about.
Attempt<Copied> Copy(Context& context, std::string_view source, std::string_view destination,
                     const CopyOptions& options);

}  // namespace cordon::tools
