// What a patch would make of the files it names, worked out before any of them is touched.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/sha256.h"
#include "tools/outcome.h"
#include "tools/patch/apply.h"
#include "tools/patch/patch.h"
#include "tools/tool.h"

namespace cordon::tools {

// Bytes of all files of one patch together, before and after.
inline constexpr std::size_t kMaxPatchedBytes = 256u << 20;

struct PlannedFile {
  FilePatch::Action action = FilePatch::Action::kUpdate;
  std::string path;
  std::optional<std::string> move_to;
  std::string old_bytes, new_bytes;
  Digest old_digest{}, new_digest{};
  std::uint32_t old_mode = 0;
  std::optional<std::uint32_t> mode;  // to be set
  std::string diff;
  std::vector<HunkDone> hunks;

  // Where it is afterwards, or was before it was deleted.
  const std::string& place() const { return move_to ? *move_to : path; }
  bool rewrites() const { return new_digest != old_digest || mode.has_value(); }
};

// Reads, and changes nothing.
// Errors: those of reading each file; kAlreadyExists where a file would be made over
//   something; kNotARegularFile for a link that would be deleted or moved;
//   kInvalidArguments for a file that is named twice, whatever way it is written, or that
//   would not change; kNoMatch, kAmbiguousMatch, kNotText; kTooLarge. Each names its file.
Attempt<std::vector<PlannedFile>> PlanPatch(Context& context, const Patch& patch);

}  // namespace cordon::tools
