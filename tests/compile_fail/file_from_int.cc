// A File is what Root opened, not any descriptor number.
// EXPECT: no matching (function|constructor|conversion)|private
#include "confine/file.h"

cordon::confine::File Wrap(int fd) { return cordon::confine::File(fd); }
