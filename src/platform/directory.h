// A directory's entries, by descriptor and bare name.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "cordon/result.h"
#include "platform/file_stat.h"

namespace cordon::platform {

// `name` is one component, never "." or "..".
Status MakeDirectory(int directory, const char* name, std::uint32_t mode);
Status RemoveFile(int directory, const char* name);       // EISDIR for a directory
Status RemoveDirectory(int directory, const char* name);  // must be empty
Status RenameEntry(int from, const char* name, int to, const char* new_name);

enum class ReadMore { kYes, kStop };
// Calls `entry` for each entry but "." and "..", in no order. `directory` must
// be open for listing (OpenIntent::kListDirectory).
Status ReadEntries(int directory,
                   const std::function<ReadMore(std::string_view name, FileType type)>& entry);

}  // namespace cordon::platform
