#include "audit/random.h"

#include <cstring>

#include "platform/host.h"

namespace cordon::audit {

Digest RandomDigest() {
  Digest digest{};
  for (std::size_t at = 0; at < digest.size(); at += sizeof(std::uint64_t)) {
    const std::uint64_t number = platform::RandomNumber();
    std::memcpy(digest.data() + at, &number, sizeof number);
  }
  return digest;
}

}  // namespace cordon::audit
