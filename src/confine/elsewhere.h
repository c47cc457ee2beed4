// What File, SearchFile and Replacement stand for where the directory is not on this system: for
// roots of another kind than Root itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "cordon/result.h"
#include "platform/file_stat.h"

namespace cordon::confine {

struct FileTerms;

// A regular file that was opened for reading elsewhere.
// Thread safety: methods may run concurrently.
class FileElsewhere {
 public:
  virtual ~FileElsewhere() = default;
  // Returns 0 at the end of the file.
  virtual Result<std::size_t> ReadAt(std::uint64_t offset, std::span<char> buffer) const = 0;
  virtual Result<platform::FileStat> Stat() const = 0;
};

// See Replacement.
class ReplacementElsewhere {
 public:
  virtual ~ReplacementElsewhere() = default;
  virtual Status Write(std::string_view bytes) = 0;
  virtual Status SetMode(std::uint32_t mode) = 0;
  virtual Status SetTerms(const FileTerms& terms) = 0;
  virtual Status Commit() = 0;
};

}  // namespace cordon::confine
