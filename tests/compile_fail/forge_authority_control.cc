#include "confine/ambient_authority.h"

cordon::confine::AmbientAuthority Take() {
  return cordon::confine::AmbientAuthority::OfThisProcess();
}
