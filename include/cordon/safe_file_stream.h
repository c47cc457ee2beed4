// A standard stream over a file that is inside the workspace.
#pragma once

#include <iostream>
#include <memory>
#include <optional>

#include "cordon/result.h"

namespace cordon {

namespace api {
class StreamBuffer;
}

// Safe by construction: only a Workspace makes one, from a descriptor it opened
// inside its boundary; no member takes a path.
//
// Reading: buffered and seekable.
// Writing: what is written stays invisible until Commit or close, which put it in
//   the file's place all at once; a stream that failed, or is dropped, leaves
//   the old file untouched and nothing behind, unless the process crashes: then one
//   `.cordon-*.tmp` may remain. tellp works, seeking does not.
// Appending: each flush adds what was buffered to the end of the file that has
//   the name at that moment; dropping the stream flushes.
//
// A system error sets badbit; error() tells which.
// Thread safety: none, as for any stream.
class SafeFileStream : public std::iostream {
 public:
  SafeFileStream(SafeFileStream&& other) noexcept;
  SafeFileStream& operator=(SafeFileStream&& other) noexcept;
  ~SafeFileStream() override;

  // Writing: takes the name. Appending: flushes. Reading: nothing to do. Once
  // only; the stream is closed afterwards, whatever the outcome.
  // Errors: the one that made the stream fail, if it had; then nothing changed.
  Status Commit();
  // Commit for those who look at the stream's state: sets failbit if it fails.
  void close();
  bool is_open() const;

  // Why badbit is set, if the system was the reason.
  std::optional<Error> error() const;

 private:
  friend class Workspace;
  explicit SafeFileStream(std::unique_ptr<api::StreamBuffer> buffer);
  std::unique_ptr<api::StreamBuffer> buffer_;  // null once moved from
};

}  // namespace cordon
