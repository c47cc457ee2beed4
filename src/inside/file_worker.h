// The file tools' hands in a sandbox: does what file_wire.h asks, below one directory.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "confine/root.h"
#include "inside/file_wire.h"

namespace cordon::inside {

// Guarantees: nothing outside the directory is touched, under the rules the first request names.
// Thread safety: one thread at a time.
class FileWorker {
 public:
  explicit FileWorker(std::string directory) : directory_(std::move(directory)) {}

  // The answer to one request, to be framed; unset: it has none. Errors: what is no request.
  Result<std::optional<std::string>> Do(std::string_view request);

 private:
  using Held = std::variant<confine::File, confine::Replacement, confine::Probed>;
  // A replacement that failed is answered for at its commit.
  struct Kept {
    Held held;
    Status so_far = {};
  };

  Result<FieldWriter> Perform(FileOp op, FieldReader& fields);
  Result<FieldWriter> Begin(FieldReader& fields);
  Result<FieldWriter> Read(FileOp op, FieldReader& fields);
  Result<FieldWriter> Write(FileOp op, FieldReader& fields);
  Result<FieldWriter> Change(FileOp op, FieldReader& fields);
  Result<FieldWriter> Open(FieldReader& fields);
  Result<FieldWriter> ReadAt(FieldReader& fields);
  Result<FieldWriter> List(FieldReader& fields);
  Result<FieldWriter> Walk(FieldReader& fields);
  Result<FieldWriter> Look(FieldReader& fields);
  Result<FieldWriter> Probe(FieldReader& fields);
  Result<FieldWriter> Replace(FileOp op, FieldReader& fields);
  Result<FieldWriter> Commit(FieldReader& fields);
  void Piece(FieldReader& fields);
  void Release(FieldReader& fields);
  std::uint64_t Hold(Kept kept);

  const std::string directory_;
  std::optional<confine::Root> root_;
  std::map<std::uint64_t, Kept> held_;  // by number, the oldest first
  std::uint64_t last_ = 0;
};

// Speaks file_wire.h on this process's input and output until the input ends; gives the exit
// status.
int ServeFiles();

}  // namespace cordon::inside
