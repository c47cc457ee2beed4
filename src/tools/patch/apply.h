// Hunks of a patch, made in a text. Knows no files.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/line_search.h"
#include "tools/outcome.h"
#include "tools/patch/patch.h"

namespace cordon::tools {

struct HunkDone {
  std::size_t line = 0;       // of the old text, from 1, where it was found
  std::ptrdiff_t offset = 0;  // how far from where it was said to be, where that was said
  MatchPass pass = MatchPass::kExact;
};

struct PatchedText {
  std::string text;
  std::vector<HunkDone> hunks;
};

// Most lines of the file that may be looked at for all hunks together.
inline constexpr std::size_t kMaxPatchWork = 300'000'000;
inline constexpr std::size_t kMaxPatchedLines = 4'000'000;

// Hunks are found in order, each after the one before: at the line that is named, if it
// is there, else wherever its lines are, but only if that is one place; after an anchor
// the first one counts, unless the anchor itself could be another. Exact first, then
// without regard to blanks at line ends, to indentation, to typographic punctuation.
// Lines that are only context stay as the file has them, and so does the file's last
// line end unless the patch says otherwise.
// Errors: kNoMatch, kAmbiguousMatch, kLimitExceeded, each with the hunk; kTooLarge.
Attempt<PatchedText> ApplyHunks(std::string_view text, std::span<const Hunk> hunks);

}  // namespace cordon::tools
