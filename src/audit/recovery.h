// Puts a log right after its writer was killed or the power was lost.
#pragma once

#include <cstdint>
#include <string_view>

#include "audit/files.h"
#include "audit/head_image.h"
#include "base/sha256.h"
#include "cordon/result.h"

namespace cordon::audit {

struct Recovered {
  HeadState end;           // what the head must say now
  std::uint64_t lost = 0;  // records that went with the power
};

// Whole records that continue the chain are kept, an unfinished one is cut off, and
// a rotation that was begun is undone or ended. What was staged stays staged, so that a
// full disk is no obstacle, unless the power was lost; what a killed writer had begun to
// bring into the file is taken out again. The head is the caller's to write.
// The lock must be held. Running it again, also after a kill in the middle of it,
// gives the same.
// Errors: kIoError (audit/failure.h) when the log is not what a writer leaves behind.
Result<Recovered> Recover(const LogFiles& files, const HeadImage& head, std::string_view staged,
                          const platform::BootId& boot, HmacSha256& mac);

}  // namespace cordon::audit
