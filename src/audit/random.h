// Bytes that nobody can guess.
#pragma once

#include "base/sha256.h"

namespace cordon::audit {

Digest RandomDigest();

}  // namespace cordon::audit
