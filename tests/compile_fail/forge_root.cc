// A Root comes from OpenAmbient alone.
// EXPECT: no matching (function|constructor)|private|no default
#include "confine/root.h"

cordon::confine::Root Make() { return cordon::confine::Root(); }
