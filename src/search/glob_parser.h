// The parts of a path pattern; for the files of this room only.
#pragma once

#include <bitset>
#include <cstdint>
#include <string_view>
#include <vector>

#include "cordon/result.h"

namespace cordon::search {

struct GlobPart {
  enum class Kind : std::uint8_t {
    kByte,
    kAny,        // ?
    kClass,      // [...]
    kStar,       // *
    kPrefix,     // **/ at the beginning
    kSuffix,     // /** at the end
    kMiddle,     // /**/
    kAlternates  // {...}
  };
  Kind kind = Kind::kByte;
  unsigned char byte = 0;
  std::bitset<256> members;                         // of kClass
  std::vector<std::vector<GlobPart>> alternatives;  // of kAlternates
};

// Errors: as Glob::Compile's.
Result<std::vector<GlobPart>> ParseGlob(std::string_view pattern);

}  // namespace cordon::search
