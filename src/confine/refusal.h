// The refusals of this room, worded once.
#pragma once

#include <string_view>

#include "confine/root_state.h"
#include "cordon/error.h"
#include "cordon/operation.h"
#include "cordon/result.h"
#include "platform/file_stat.h"
#include "policy/deny_list.h"

namespace cordon::confine {

Error OutsideError(Violation how, std::string_view component);
Error DeniedError(const policy::DenyList::Match& match);
Error MountError(std::string_view component);
Error LoopError();
Error RaceError();
Error NotADirectoryError(std::string_view component);
Error IsADirectoryError();
Error NameTooLongError(std::string_view component);
Error BadNameError(std::string_view component);
Error ProtectedBelowError(std::string_view component);

// Refuses `operation` if the root is read-only and it would change something.
Status CheckWritable(const RootState& root, Operation operation);

// Refuses what is not a regular file, and a file with other names where the
// options say so. `replaces`: the operation gives the name a new inode.
enum class WriteStyle { kNone, kInPlace, kReplaces };
Status CheckRegular(const RootState& root, const platform::FileStat& stat, WriteStyle style);

// Says so if the root itself is gone, instead of a plain "not found".
Error ExplainNotFound(const RootState& root, Error error);

}  // namespace cordon::confine
