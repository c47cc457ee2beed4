// One server for each state directory.
#pragma once

#include <memory>
#include <string>

#include "cordon/result.h"

namespace cordon::store {

// Held until destroyed, and let go by a process that dies.
class ServerLock {
 public:
  // Makes the directory (absolute, mode 0700) if it is missing.
  // Errors: kAlreadyExists when a server has it; kPermissionDenied when others could write there.
  static Result<ServerLock> Take(const std::string& directory);
  ServerLock(ServerLock&&) noexcept;
  ServerLock& operator=(ServerLock&&) = delete;
  ~ServerLock();

 private:
  struct State;
  explicit ServerLock(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace cordon::store
