// An archive that comes piece by piece, unpacked below one directory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "confine/replacement.h"
#include "confine/root.h"
#include "cordon/result.h"
#include "serve/tar.h"

namespace cordon::cli {

// Guarantees: whatever the archive says, nothing outside `root` is written or replaced, and links
//   that lead out of it are not made; a file has its old content or all of its new one.
class ArchiveInflow {
 public:
  // `root` must outlive this.
  explicit ArchiveInflow(const confine::Root& root) : root_(root) {}

  // Errors: kInvalidArguments when this is no archive; those of writing.
  Status Take(std::string_view bytes);
  // Errors: kIoError when it is not all there.
  Status Finish();

  std::uint64_t files() const { return files_; }
  std::uint64_t bytes() const { return bytes_; }
  const std::vector<std::string>& left_out() const { return left_out_; }

 private:
  Status Begin(const serve::TarEntry& entry);
  Status TakeContent(std::string_view& bytes);
  Status EndFile();
  void LeaveOut(const serve::TarEntry& entry, const Error& error);

  const confine::Root& root_;
  std::string head_;  // of the next entry, as far as it is there
  std::optional<confine::Replacement> file_;
  std::uint64_t content_ = 0;  // bytes of it that are still to come
  std::uint64_t padding_ = 0;
  enum class Where { kHead, kContent, kPadding, kOver } where_ = Where::kHead;
  std::uint64_t files_ = 0, bytes_ = 0;
  std::vector<std::string> left_out_;
};

}  // namespace cordon::cli
