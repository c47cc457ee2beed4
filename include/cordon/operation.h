// What a caller wants to do with a path.
#pragma once

#include <optional>
#include <string_view>

namespace cordon {

enum class Operation { kRead, kWrite, kCreate, kDelete, kList, kStat, kMkdir, kRename };

// "read", "write", ...
std::string_view OperationName(Operation operation);
std::optional<Operation> ParseOperation(std::string_view name);
// True for the operations that leave everything as it was.
bool IsReadOnly(Operation operation);

}  // namespace cordon
