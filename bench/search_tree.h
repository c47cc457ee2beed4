// A tree that looks like a large project, the same on every run.
#pragma once

#include <cstdint>
#include <string>

namespace cordon::bench {

struct TreeSize {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
};

// Words that the generator places on purpose.
inline constexpr const char* kRareWord = "QuotientLedgerZx";
// In tens of thousands of lines: about as many as the tool tells at once.
inline constexpr const char* kCommonWord = "server_";
inline constexpr const char* kFoldedWord = "watermark";  // in several spellings

// Makes the tree in `directory`, which must be empty: source files of several languages,
// a repository's mark, ignore files at two levels with directories they cover, hidden
// files, a few binary ones. At least 20,000 files and 300 MB.
TreeSize MakeTree(const std::string& directory);

}  // namespace cordon::bench
