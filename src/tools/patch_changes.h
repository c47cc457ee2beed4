// Makes the changes of a plan, all of them or none.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tools/patch_plan.h"

namespace cordon::tools {

// Guarantees: after a failure every file that was changed has its old content again, as
//   far as nobody else has changed it since and the guard allows it; what could not be
//   taken back is named in the failure's data, "not_taken_back". A file is only changed if
//   it holds what the plan was made from. Deletions come last. Directories that were made
//   go again.
// Does not guarantee: that a file which was deleted and brought back has its attributes
//   beyond content and permissions; that nobody sees some files changed and others not.
// Errors: those of the guard, with the file they are about; kStaleFile.
// Returns the directories that were made.
Attempt<std::vector<std::string>> MakeChanges(Context& context, std::span<const PlannedFile> files);

}  // namespace cordon::tools
