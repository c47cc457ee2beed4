// A connection to a server inside a sandbox.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "platform/unique_fd.h"
#include "preview/core.h"
#include "preview/wire.h"

namespace cordon::preview {

// In use by one session, or resting in its target's pool. Of the I/O thread.
class Upstream : public std::enable_shared_from_this<Upstream> {
 public:
  Upstream(Core& core, std::weak_ptr<Target> target, std::uint16_t port, platform::UniqueFd socket);

  Wire& wire() { return *wire_; }
  std::uint16_t port() const { return port_; }
  bool rested() const { return rested_; }  // was used before

  // Tells `session` when it can be read or written, until it is left.
  void Serve(Session& session) { session_ = &session; }
  void WatchRead();
  void WatchWrite();
  // Nobody's any more, and closed.
  void Drop();
  // Back into the pool; must be between messages.
  void Rest();
  Clock::time_point resting_since() const { return resting_since_; }

 private:
  const std::weak_ptr<Target> target_;
  const std::uint16_t port_;
  const std::unique_ptr<Wire> wire_;
  Session* session_ = nullptr;
  bool watching_read_ = false, watching_write_ = false, rested_ = false;
  Clock::time_point resting_since_;
};

}  // namespace cordon::preview
