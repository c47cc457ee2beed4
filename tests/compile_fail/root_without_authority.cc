// A boundary is drawn only by who may name host paths.
// EXPECT: too few arguments|no matching function|requires 3 arguments
#include "confine/root.h"

cordon::Result<cordon::confine::Root> Open() { return cordon::confine::Root::OpenAmbient("/", {}); }
