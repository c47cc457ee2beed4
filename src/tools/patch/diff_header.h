// What stands above the hunks of one file in a unified diff.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "tools/patch/patch.h"

namespace cordon::tools {

// What git's extended header and the two name lines say of one file.
struct DiffHeader {
  std::size_t patch_line = 0;
  std::optional<std::pair<std::string, std::string>> git_names;
  std::optional<std::string> old_name, new_name, rename_from, rename_to;
  bool is_new = false, is_deleted = false, crlf = false;  // crlf: the two name lines' ends
  std::optional<bool> was_runnable, runnable;
};

// Which file it is about and what becomes of it, without hunks.
// Errors: kInvalidArguments where names are missing or contradict each other.
Result<FilePatch> NameFile(const DiffHeader& header);

}  // namespace cordon::tools
