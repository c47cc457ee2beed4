// The directory in which questions wait for `cordon approve`: one socket for each
// process that asks.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/result.h"
#include "platform/unique_fd.h"

namespace cordon::consent {

// The longest path that names a socket.
inline constexpr std::size_t kMaxSocketPath = 107;

// Guarantees: it belongs to us, and nobody else may enter it.
class ApprovalDirectory {
 public:
  // Makes it with mode 0700, and its parents, where they are missing.
  // Errors: kPermissionDenied when it is not ours alone; kInvalidPath, kIoError.
  static Result<ApprovalDirectory> Make(std::string_view path);
  // Errors: as above; kNotFound.
  static Result<ApprovalDirectory> Open(std::string_view path);

  // The names of the sockets in it that are ready, in no order.
  Result<std::vector<std::string>> Sockets() const;

  // Errors: kInvalidPath when it would be too long for a socket.
  Result<std::string> PathOf(const std::string& name) const;

  // A socket is bound under one name and renamed to the other once it listens, so that
  // one that nobody answers at is a dead one.
  struct NewNames {
    std::string unready;
    std::string ready;
  };
  static Result<NewNames> MakeNames();  // with our process id; cannot be guessed
  // Errors: kIoError, kPermissionDenied when what is there is not what was bound.
  Status Publish(const NewNames& names) const;
  // Only sockets, with names as MakeNames makes them.
  Status Remove(const std::string& name) const;
  // What crashed before it was ready, and is more than a minute old.
  void RemoveAbandoned() const;

 private:
  ApprovalDirectory(platform::UniqueFd directory, std::string path)
      : directory_(std::move(directory)), path_(std::move(path)) {}

  Result<std::vector<std::string>> Named(std::string_view start) const;
  bool IsSocket(const std::string& name) const;

  platform::UniqueFd directory_;
  std::string path_;  // without links
};

}  // namespace cordon::consent
