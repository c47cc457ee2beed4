// A directory's entries, by descriptor and bare name.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "cordon/result.h"
#include "platform/file_stat.h"

namespace cordon::platform {

// `name` is one component, never "." or "..".
Status MakeDirectory(int directory, const char* name, std::uint32_t mode);
Status RemoveFile(int directory, const char* name);       // EISDIR for a directory
Status RemoveDirectory(int directory, const char* name);  // must be empty
Status RenameEntry(int from, const char* name, int to, const char* new_name);
// Whatever has the new name keeps it: EEXIST. EINVAL where the file system cannot do
// this, and for a directory that would come below itself.
Status RenameNoReplace(int from, const char* name, int to, const char* new_name);
// Each takes the other's name, at once; of any types. ENOENT if one is missing; EINVAL
// as above.
Status ExchangeEntries(int first, const char* first_name, int second, const char* second_name);
// Gives a file, or a link itself, a second name, which must be free: EEXIST.
Status LinkEntry(int from, const char* name, int to, const char* new_name);

enum class ReadMore { kYes, kStop };
// Calls `entry` for each entry but "." and "..", in no order. `directory` must
// be open for listing (OpenIntent::kListDirectory).
Status ReadEntries(int directory,
                   const std::function<ReadMore(std::string_view name, FileType type)>& entry);

// As ReadEntries, through `directory` itself and `buffer`: for a descriptor of which
// nothing was read yet. `buffer` must hold a few names; the views are parts of it.
Status ReadEntriesInto(int directory, std::span<char> buffer,
                       const std::function<ReadMore(std::string_view name, FileType type)>& entry);

}  // namespace cordon::platform
