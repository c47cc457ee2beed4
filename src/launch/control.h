// The socket to Cordon.
#pragma once

#include <optional>
#include <span>

#include "cordon/result.h"
#include "platform/unique_fd.h"
#include "sandbox/message.h"

namespace cordon::launch {

struct Received {
  sandbox::Order order;
  platform::UniqueFd descriptor;  // of an Answer that grants
};

class Control {
 public:
  explicit Control(int socket) : socket_(socket) {}
  int socket() const { return socket_; }
  Status Send(const sandbox::Report& report, std::span<const int> descriptors = {}) const;
  // Errors: kIoError when Cordon is gone; kInvalidArguments for what cannot be read.
  Result<Received> Receive() const;

 private:
  int socket_;
};

}  // namespace cordon::launch
