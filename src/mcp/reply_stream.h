// The way back to a client.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "mcp/rpc_error.h"

namespace cordon::mcp {

// Thread safety: both may run concurrently. A client that is gone is not an error here.
class MessageSink {
 public:
  virtual ~MessageSink() = default;
  // One message, complete. May wait while the client is slow.
  virtual void Send(std::string message) = 0;
};

// Does what a response must not be sent without. Set: it failed, and this is the response
// that is sent instead.
using Settle = std::function<std::optional<std::string>()>;

// For one request: messages that belong to it, then its response.
class ReplyStream : public MessageSink {
 public:
  // At most once, and last. `failure`: the response is this error. A stream that keeps the
  // response takes its memory; one that does not leaves it to the caller.
  virtual void Finish(std::string&& response, std::optional<RpcCode> failure) = 0;
  // The same, for a result that `settle` comes before; at once, or when it is really sent.
  virtual void FinishAfter(std::string&& response, Settle settle) {
    std::optional<std::string> instead = std::exchange(settle, nullptr)();
    Finish(instead ? *std::move(instead) : std::move(response), std::nullopt);
  }
  // Instead of a response: there will be none, because the client wants none any more.
  virtual void Abandon() = 0;
};

}  // namespace cordon::mcp
