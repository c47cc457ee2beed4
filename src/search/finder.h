// Finds one literal in text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "search/byte_scan.h"

namespace cordon::search {

// How ASCII letters compare; other bytes compare as they are.
enum class AsciiCase { kSensitive, kInsensitive };

// Guarantees: time in proportion to the text, whatever text and needle are.
// Thread safety: const methods may run concurrently.
class Finder {
 public:
  // `needle` must not be empty.
  Finder(std::string needle, AsciiCase ascii_case);

  // The first occurrence that begins at or after `from`; npos if there is none.
  std::size_t Find(std::string_view text, std::size_t from) const;

  const std::string& needle() const { return needle_; }
  // The lower, the fewer places of ordinary text look like the needle at first sight.
  int commonness() const { return commonness_; }

 private:
  bool MatchesAt(const char* at) const;
  std::size_t FindSlowly(std::string_view text, std::size_t from) const;

  std::string needle_;  // in lower case if case does not matter
  AsciiCase case_;
  BytePair pair_;
  int commonness_ = 0;
};

}  // namespace cordon::search
