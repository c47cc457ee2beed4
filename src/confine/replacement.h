// A file's next content, written beside it and put in its place at once.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "confine/elsewhere.h"
#include "confine/expected.h"
#include "cordon/result.h"
#include "platform/attribute.h"
#include "platform/file_stat.h"
#include "platform/unique_fd.h"

namespace cordon::confine {

// What a file had beside its content, to be given back to it.
struct FileTerms {
  std::uint32_t mode = 0;
  std::int64_t modified_ns = 0;
  std::vector<platform::Attribute> attributes;  // access control list included
};

// Guarantees: the name has its old content or all of the new one, at every
//   instant and after a crash; the old file's permissions, access control
//   list and user attributes are kept, but never set-user-id, capabilities and their like; dropped
//   without Commit, nothing remains.
// Does not guarantee: that a crash of this process leaves no temporary file.
class Replacement {
 public:
  // On another system, which keeps what is guaranteed here.
  explicit Replacement(std::unique_ptr<ReplacementElsewhere> elsewhere);
  Replacement(Replacement&&) noexcept;
  Replacement& operator=(Replacement&&) noexcept;
  ~Replacement();

  Status Write(std::string_view bytes);
  // Sets the permission bits the file shall have instead of the old ones.
  Status SetMode(std::uint32_t mode);
  // After the last Write, which changes the time again.
  Status SetTerms(const FileTerms& terms);
  // Flushes the content and takes the name: where something was expected, only from
  // that, or only if it is free. Errors: kStaleFile, and then the name has what it had.
  Status Commit();

  // Of the new file. Errors: kUnsupported elsewhere.
  Result<platform::FileStat> Stat() const;

  // Whether something was there before, and what.
  bool replaces() const { return replaces_; }
  const platform::FileStat& previous() const { return previous_; }

 private:
  friend class Root;
  Replacement() = default;
  void Discard();
  Status TakeFreeName();
  Status TakeExpectedName();
  Status CheckExpected(const std::string& name) const;
  platform::UniqueFd directory_;
  platform::UniqueFd file_;
  std::string temporary_;  // name in directory_; empty once committed or dropped
  std::string name_;
  bool replaces_ = false;
  platform::FileStat previous_;
  Expected expected_;
  std::chrono::milliseconds patience_{};
  enum class Lacking { kRefuse, kLookFirst } without_exchange_ = Lacking::kRefuse;
  std::unique_ptr<ReplacementElsewhere> elsewhere_;  // set: all is done there
};

}  // namespace cordon::confine
