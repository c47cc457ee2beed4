// What goes over the streams of `cordon-tools files`. A message is its length in four bytes, the
// highest first, then one byte that says whether more of it follows, then that many bytes less
// one. Requests begin with a FileOp; answers with an Answer. Neither side trusts the other's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "confine/root.h"
#include "cordon/error.h"
#include "cordon/result.h"
#include "platform/file_stat.h"

namespace cordon::inside {

enum class FileOp : std::uint8_t {
  kBegin,         // RootOptions; the first, once
  kOpen,          // path, Expected -> path, FileStat, number of the open file, its first bytes
  kReadAt,        // number, offset, count -> bytes
  kReplace,       // path, Expected -> number
  kPiece,         // number, bytes; not answered
  kCommit,        // number, mode, FileTerms
  kWriteFile,     // path, Expected, mode, FileTerms, bytes: the last three in one
  kAppend,        // path, Expected, bytes
  kStat,          // path, FinalSymlink, Expected -> FileStat
  kList,          // path, limit, Expected -> entries
  kWalk,          // path, most entries, depth, Expected -> paths with FileStat
  kLook,          // path, SearchReach, most entries, Expected -> Looked
  kMkdir,         // path, mode, Expected
  kMkdirExactly,  // the same
  kMkdirAll,      // path, mode
  kRename,        // from, to, Expected of each
  kRemove,        // path, Expected
  kRemoveAll,     // path, Expected
  kReadLink,      // path, Expected -> text
  kSymlink,       // target, path, Expected, LinkText
  kProbe,         // path, Operation, the one judged as -> Probed, number
  kRelease,       // numbers; not answered
};
inline constexpr FileOp kLastFileOp = FileOp::kRelease;

enum class Answer : std::uint8_t { kDone, kError };

inline constexpr std::size_t kLongestMessage = std::size_t{256} << 10;
inline constexpr std::size_t kLongestRequest = std::size_t{72} << 20;
// So much of a file comes with its opening, and goes with its writing.
inline constexpr std::size_t kFirstBytes = std::size_t{128} << 10;
// What one worker holds open at a time: more, and the oldest are closed.
inline constexpr std::size_t kMostHeldOpen = 256;

// As messages, cut as needed.
std::string Framed(std::string_view whole);

// Takes bytes as they come, gives wholes.
class MessageReader {
 public:
  explicit MessageReader(std::size_t most) : most_(most) {}
  void Take(std::string_view bytes) { held_ += bytes; }
  // Unset: more is needed. Errors: kIoError for what can be no message, or is too long.
  Result<std::optional<std::string>> Next();
  bool empty() const { return held_.empty() && whole_.empty(); }

 private:
  const std::size_t most_;
  std::string held_, whole_;
};

class FieldWriter {
 public:
  explicit FieldWriter(FileOp op) { Byte(static_cast<std::uint8_t>(op)); }
  explicit FieldWriter(Answer answer) { Byte(static_cast<std::uint8_t>(answer)); }
  FieldWriter& Byte(std::uint8_t byte);
  FieldWriter& Number(std::uint64_t number);
  FieldWriter& Text(std::string_view text);
  template <typename Enum>
  FieldWriter& Choice(Enum value) {
    return Byte(static_cast<std::uint8_t>(value));
  }
  FieldWriter& Put(const platform::FileStat& stat);
  FieldWriter& Put(const confine::Expected& expected);
  FieldWriter& Put(const std::optional<std::uint32_t>& mode);
  FieldWriter& Put(const std::optional<confine::FileTerms>& terms);
  FieldWriter& Put(const confine::RootOptions& options);
  FieldWriter& Put(const Error& error);
  std::string Take() { return std::move(bytes_); }
  std::size_t size() const { return bytes_.size(); }

 private:
  std::string bytes_;
};

// What is missing or cannot be is read as nothing, and makes it bad for good.
class FieldReader {
 public:
  explicit FieldReader(std::string_view bytes) : left_(bytes) {}
  std::uint8_t Byte();
  std::uint64_t Number();
  std::string_view Text();
  template <typename Enum>
  Enum Choice(Enum last) {
    const std::uint8_t byte = Byte();
    if (byte > static_cast<std::uint8_t>(last)) good_ = false;
    return good_ ? static_cast<Enum>(byte) : Enum{};
  }
  platform::FileStat Stat();
  confine::Expected Expected();
  std::optional<std::uint32_t> Mode();
  std::optional<confine::FileTerms> Terms();
  Result<confine::RootOptions> Options();
  Error TakeError();
  bool good() const { return good_; }
  // Good, and nothing is left.
  bool complete() const { return good_ && left_.empty(); }
  bool more() const { return good_ && !left_.empty(); }

 private:
  std::string_view left_;
  bool good_ = true;
};

}  // namespace cordon::inside
