// The files one log consists of, by their names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "confine/root.h"
#include "cordon/result.h"

namespace cordon::audit {

struct OlderFile {
  std::uint64_t number = 0;
  std::string name;
};

// "audit.jsonl.000012" is number 12 of "audit.jsonl": six digits, more only where
// six do not suffice. Nothing for every other name.
std::optional<std::uint64_t> OlderFileNumber(std::string_view log_name, std::string_view name);

// The files that were left, oldest first; the current one is not among them.
Result<std::vector<OlderFile>> ListOlderFiles(const confine::Root& directory,
                                              std::string_view log_name);

}  // namespace cordon::audit
