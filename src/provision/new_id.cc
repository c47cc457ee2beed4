#include "provision/new_id.h"

#include <array>

#include "platform/host.h"

namespace cordon::provision {

SandboxId NewSandboxId() {
  std::array<std::uint8_t, SandboxId::kRandomBytes> bytes{};
  std::uint64_t random = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i % sizeof random == 0) random = platform::RandomNumber();
    bytes[i] = static_cast<std::uint8_t>(random >> (8 * (i % sizeof random)));
  }
  return SandboxId::FromRandom(bytes);
}

}  // namespace cordon::provision
