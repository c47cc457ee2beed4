// One owner closes a descriptor.
// EXPECT: deleted
#include "confine/file.h"

cordon::confine::File Copy(const cordon::confine::File& file) { return file; }
