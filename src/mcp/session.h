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
#include "mcp/tasks.h"
#include "mcp/waiting_room.h"

namespace cordon::mcp {

struct SessionState;

// Thread safety: every method may run concurrently; messages of one client should be
//   accepted in the order in which they came.
class Session {
 public:
  // `unasked`: for messages that belong to no request. `room`: for requests that wait for the
  // client; null: one of its own. `tasks`: likewise.
  Session(Service& service, Hub& hub, Principal principal, std::shared_ptr<MessageSink> unasked,
          std::shared_ptr<WaitingRoom> room = nullptr, std::shared_ptr<Tasks> tasks = nullptr);
  ~Session();  // closes, and does not wait for what still runs

  // Before `initialize` only that and `ping` are answered. `who`: the same party, but with
  // the scopes of this request, where a transport sees them with every one.
  Job Accept(Request request, std::shared_ptr<ReplyStream> stream,
             std::optional<Principal> who = std::nullopt);
  void Accept(const Notification& notification);
  void Accept(Response response);

  // Nobody answers our questions any more.
  void EndInput();
  // Stops what runs, too, and tells no more changes.
  void Close();

  bool initialized() const;  // `initialize` was answered
  Revision revision() const;
  const Principal& principal() const;

 private:
  std::shared_ptr<SessionState> state_;
};

}  // namespace cordon::mcp
