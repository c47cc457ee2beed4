// One client, from its first byte to its last.
#pragma once

#include <memory>

#include "net/http_core.h"
#include "platform/unique_fd.h"

namespace cordon::net {

// Everything in the I/O thread of `core`, which holds it until it is closed.
class HttpConnection {
 public:
  // Nothing if the socket cannot be used.
  enum class Kind { kTcp4, kTcp6, kLocal };
  static void Welcome(HttpCore& core, platform::UniqueFd socket, Kind kind);

  virtual ~HttpConnection() = default;
  virtual void Close() = 0;
  // The same, but what is answered is sent first.
  virtual void Leave() = 0;
};

}  // namespace cordon::net
