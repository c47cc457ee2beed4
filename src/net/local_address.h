// The name of a local socket in the file system, from its making to its removal.
#pragma once

#include <string>

#include "cordon/result.h"
#include "platform/file_stat.h"
#include "platform/unique_fd.h"

namespace cordon::net {

// First a socket is bound and listens under a name that nobody knows; then it takes the
// one that it is to have.
// Guarantees: never takes the place of a socket at which somebody may still listen, or of
//   anything that is not a socket, even if two do this at the same time.
class LocalAddress {
 public:
  LocalAddress() = default;
  ~LocalAddress();  // removes the name, if it is still ours
  LocalAddress(const LocalAddress&) = delete;
  LocalAddress& operator=(const LocalAddress&) = delete;

  // Where to bind. Errors: those of the directory; kInvalidArguments.
  Result<std::string> Prepare(const std::string& path);
  // Errors: kAlreadyExists.
  Status Publish();

 private:
  Status TakeOver();

  platform::UniqueFd directory_;
  std::string directory_path_;
  std::string name_;   // that it is to have
  std::string bound_;  // the other; empty when it is gone
  platform::FileIdentity ours_;
  bool published_ = false;
};

}  // namespace cordon::net
