// The way back over HTTP: one JSON answer, or a stream of events once there is more to say.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "mcp/reply_stream.h"

namespace cordon::mcp {

class HttpStream : public ReplyStream {
 public:
  // From time to time: a client that waits for long is told that we are still here.
  virtual void Pulse() = 0;
  // The response that follows means that there was no room for the request.
  virtual void Busy() = 0;
};

// Those that may need a pulse.
// Thread safety: everything may run concurrently.
class HttpStreams {
 public:
  void Add(const std::shared_ptr<HttpStream>& stream);
  void Pulse();

 private:
  std::mutex mutex_;
  std::vector<std::weak_ptr<HttpStream>> streams_;
};

}  // namespace cordon::mcp
