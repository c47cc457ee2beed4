// A patch of several files, whichever grammar it was written in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/result.h"

namespace cordon::tools {

inline constexpr std::size_t kMaxPatchBytes = 8u << 20;
inline constexpr std::size_t kMaxPatchFiles = 500;
inline constexpr std::size_t kMaxPatchHunks = 10'000;

struct HunkLine {
  enum class Kind { kContext, kRemoved, kAdded };
  Kind kind = Kind::kContext;
  std::string_view text;  // without its end
};

// Some lines of a file, with what is around them.
struct Hunk {
  std::size_t patch_line = 0;             // where it stands in the patch, from 1
  std::vector<std::string_view> anchors;  // lines to find first, one after the other
  std::optional<std::size_t> old_start;   // the line it is said to begin at, from 1
  std::vector<HunkLine> lines;
  bool at_end = false;           // its last old line is the file's last
  bool old_end_missing = false;  // the file's last line has no end
  bool new_end_missing = false;  // and has none afterwards
};

struct FilePatch {
  enum class Action { kAdd, kDelete, kUpdate };
  Action action = Action::kUpdate;
  std::size_t patch_line = 0;
  std::string path;
  std::optional<std::string> move_to;
  std::string content;           // of kAdd
  std::vector<Hunk> hunks;       // of kUpdate; of kDelete, all that must be there, if any
  std::optional<bool> runnable;  // set: the execute permission it shall have
};

// Views into the text that was parsed.
struct Patch {
  std::vector<FilePatch> files;
};

// Of the parsers: kInvalidArguments, with the line of the patch.
Error PatchError(std::size_t patch_line, std::string_view what);
// Counts what the parsers find. Errors: kLimitExceeded.
class PatchCount {
 public:
  Status AddFile();
  Status AddHunk();

 private:
  std::size_t files_ = 0, hunks_ = 0;
};

}  // namespace cordon::tools
