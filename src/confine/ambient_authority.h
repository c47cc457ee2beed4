// The right to name any path of the host. Whoever holds one may decide where a
// boundary is drawn; nothing that serves an agent may. scripts/check_layers.py
// lets only api/, cli/, serve/ and tests include this header.
#pragma once

namespace cordon::confine {

class AmbientAuthority {
 public:
  static AmbientAuthority OfThisProcess() { return AmbientAuthority(); }

 private:
  AmbientAuthority() = default;
};

}  // namespace cordon::confine
