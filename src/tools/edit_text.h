// Edits of a text, all of them or none. Knows no files.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "tools/flat_text.h"
#include "tools/line_search.h"
#include "tools/outcome.h"

namespace cordon::tools {

struct TextEdit {
  enum class Form { kLiteral, kRegex };
  std::string_view old_text, new_text;
  Form form = Form::kLiteral;
  std::optional<std::size_t> expected = 1;  // unset: any number but none
};

struct LineRange {
  std::size_t first = 0, last = 0;  // from 1; of the text after all edits
};

struct EditDone {
  MatchPass pass = MatchPass::kExact;
  std::size_t replacements = 0;
  std::vector<LineRange> lines;  // of the first kMaxToldPlaces
};

struct EditedText {
  std::string text;
  std::vector<EditDone> edits;  // one for each
};

inline constexpr std::size_t kMaxToldPlaces = 50;
inline constexpr std::size_t kMaxOldText = 4u << 20;
// Edits by bytes of the text: each of them searches all of it.
inline constexpr std::size_t kMaxEditWork = std::size_t{1} << 30;

// One after the other, each in what the one before has made.
// Guarantees: line ends outside the places that are replaced stay as they are.
// Errors: kInvalidArguments (nothing to look for, nothing would change, bad pattern);
//   kNoMatch, with the nearest candidate; kAmbiguousMatch, with the number of places and
//   their lines; kTooLarge, kLimitExceeded. With several edits, the failure names which.
Attempt<EditedText> ApplyEdits(std::string_view text, std::span<const TextEdit> edits,
                               const std::stop_token& stop = {});

}  // namespace cordon::tools
