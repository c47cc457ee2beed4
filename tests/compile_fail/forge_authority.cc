// Nobody makes an AmbientAuthority but the one function that can be searched for.
// EXPECT: private
#include "confine/ambient_authority.h"

cordon::confine::AmbientAuthority Forge() { return cordon::confine::AmbientAuthority(); }
