#include "consent/question_id.h"

#include <cstdint>
#include <string_view>

#include "platform/host.h"

namespace cordon::consent {

std::string NewQuestionId() {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string id;
  for (int half = 0; half < 2; ++half) {
    std::uint64_t number = platform::RandomNumber();
    for (int digit = 0; digit < 16; ++digit, number >>= 4) id += kHex[number & 15];
  }
  return id;
}

}  // namespace cordon::consent
