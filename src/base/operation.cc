#include "cordon/operation.h"

#include <array>
#include <utility>

namespace cordon {
namespace {

constexpr std::array<std::pair<Operation, std::string_view>, 8> kNames{{
    {Operation::kRead, "read"},
    {Operation::kWrite, "write"},
    {Operation::kCreate, "create"},
    {Operation::kDelete, "delete"},
    {Operation::kList, "list"},
    {Operation::kStat, "stat"},
    {Operation::kMkdir, "mkdir"},
    {Operation::kRename, "rename"},
}};

}  // namespace

std::string_view OperationName(Operation operation) {
  for (const auto& [value, name] : kNames) {
    if (value == operation) return name;
  }
  return "";
}

std::optional<Operation> ParseOperation(std::string_view name) {
  for (const auto& [value, known] : kNames) {
    if (known == name) return value;
  }
  return std::nullopt;
}

bool IsReadOnly(Operation operation) {
  return operation == Operation::kRead || operation == Operation::kList ||
         operation == Operation::kStat;
}

}  // namespace cordon
