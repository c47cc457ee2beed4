// What a log was at one moment, for whoever examines it while others write.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "audit/files.h"
#include "audit/head_image.h"
#include "audit/log_bytes.h"
#include "base/sha256.h"
#include "cordon/result.h"

namespace cordon::audit {

// One file of the log. Files that were left never change, so they are opened when
// they are wanted; the others are opened under the lock.
struct LogPart {
  std::string name;
  std::uint64_t generation = 0;
  bool opened = false;
  platform::UniqueFd file;  // when opened; not valid: it is missing
  Staged staged;            // for the newest
  std::uint64_t file_size = 0;
  std::uint64_t size = 0;  // with what is staged

  LogBytes bytes() const { return {file.get(), staged}; }
};
// Does nothing for a part that is opened.
Status OpenPart(const LogFiles& files, LogPart& part);

struct LogSnapshot {
  bool has_head = false;
  std::string head_broken;     // why the head cannot be believed; empty if it can
  HeadImage head;              // if it can
  bool power_lost = false;     // since the head was written
  bool loose = false;          // a killed writer or the power may have left more, or half a line
  HeadState binding;           // at least so much must be there
  std::string staged;          // what the current end tells of and is in no file
  std::vector<LogPart> parts;  // from the oldest that is there; none between is left out
  std::vector<std::string> unknown;  // files that the head says cannot be there
};

// Holds the lock only for as long as it takes to look.
// Errors: kNotFound when there is no log; kPermissionDenied, kIoError.
Result<LogSnapshot> TakeSnapshot(const LogFiles& files, HmacSha256& head_mac);

}  // namespace cordon::audit
