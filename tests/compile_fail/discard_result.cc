// An answer that nobody looked at is a check that nobody made.
// EXPECT: nodiscard|ignoring return
#include "cordon/result.h"

cordon::Result<int> Ask();
void Forget() { Ask(); }
