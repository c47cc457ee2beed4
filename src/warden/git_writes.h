// Reading and writing small files of repositories by descriptor; for this room.
#pragma once

#include <string>
#include <string_view>

#include "platform/act_for_process.h"

namespace cordon::warden {

// What a regular file that is the entry `path` below `directory`, reached without links,
// holds; "" if there is none or it is too large.
std::string SmallFile(const platform::ActForProcess& acts, int directory, const std::string& path);

// What the file `.git` in the directory `holder` may say, so that it leads into a
// repository's own worktrees or modules; "" if none claims that directory. `working`: where
// the process is.
std::string ExpectedGitFile(const platform::ActForProcess& acts, int root,
                            const std::string& holder, const std::string& working);

}  // namespace cordon::warden
