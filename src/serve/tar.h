// Archives as POSIX has them (ustar and pax): what is read may come from anybody.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cordon/result.h"

namespace cordon::serve {

struct TarEntry {
  enum class Type { kFile, kDirectory, kLink } type = Type::kFile;
  std::string name;    // below the archive's root, without a slash at its end
  std::string target;  // of a link
  std::uint32_t mode = 0644;
  std::int64_t modified = 0;  // seconds since 1970
  std::uint64_t size = 0;     // of a file
};

// What stands before a file's bytes; names of any length and any bytes.
std::string TarHeader(const TarEntry& entry);
// What stands after so many bytes.
std::string TarPadding(std::uint64_t size);
// Two empty blocks.
std::string TarEnd();

// How many of `bytes`, the rest of an archive, describe its next entry, up to its content; unset:
// they are too few to tell. 0: there is no more entry. Errors: kInvalidArguments, also for a
// description that is too long to be one.
Result<std::optional<std::size_t>> TarHeadSize(std::string_view bytes);

// Goes through an archive that is there as a whole. Hard links, devices, sparse files and what
// has a name that is absolute or holds ".." are errors, as are checksums that do not fit.
class TarReader {
 public:
  explicit TarReader(std::string_view bytes) : rest_(bytes) {}
  struct Item {
    TarEntry entry;
    std::string_view content;
  };
  // Unset at the end. Errors: kInvalidArguments.
  Result<std::optional<Item>> Next();
  // The same where only the description is there (TarHeadSize), not the content.
  Result<std::optional<TarEntry>> NextHead();

 private:
  Result<std::string_view> Take(std::uint64_t count);
  Status ReadExtended(std::string_view records);
  Result<TarEntry> ReadEntry(std::string_view block, std::uint64_t size);

  std::string_view rest_;
  // For the next entry alone.
  std::optional<std::string> long_name_, long_target_;
  std::optional<std::uint64_t> long_size_;
};

}  // namespace cordon::serve
