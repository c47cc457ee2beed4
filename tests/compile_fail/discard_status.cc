// The same where there is no value to look at.
// EXPECT: nodiscard|ignoring return
#include "confine/file.h"

void Forget(cordon::confine::File& file) { file.Write("bytes"); }
