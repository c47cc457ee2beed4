// The front end of the handshake era: one client, from `initialize` on.
#pragma once

#include <memory>
#include <optional>

#include "mcp/client.h"
#include "mcp/hub.h"
#include "mcp/job.h"
#include "mcp/message.h"
#include "mcp/reply_stream.h"
#include "mcp/service.h"

namespace cordon::mcp {

// Thread safety: every method may run concurrently; messages of one client should be
//   accepted in the order in which they came.
class Session {
 public:
  // `unasked`: for messages that belong to no request.
  Session(Service& service, Hub& hub, Principal principal, std::shared_ptr<MessageSink> unasked);
  ~Session();  // stops what still runs, and does not wait for it

  // Before `initialize` only that and `ping` are answered.
  Job Accept(Request request, std::shared_ptr<ReplyStream> stream);
  // May give something to run: a Service's reaction takes its time.
  std::optional<Job> Accept(const Notification& notification);
  void Accept(Response response);

  bool initialized() const;  // `initialize` was answered
  Revision revision() const;
  const Principal& principal() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace cordon::mcp
