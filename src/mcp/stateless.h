// The front end of the stateless era.
#pragma once

#include <memory>
#include <vector>

#include "mcp/client.h"
#include "mcp/hub.h"
#include "mcp/job.h"
#include "mcp/message.h"
#include "mcp/reply_stream.h"
#include "mcp/service.h"
#include "mcp/tasks.h"

namespace cordon::mcp {

// Whether a request speaks the stateless era: its `_meta` names a revision.
bool IsStateless(const Request& request);

// Guarantees: nothing of one request is known to another, but what is sealed into a
//   requestState; that is accepted once, for the same principal, method and arguments.
// Thread safety: every method may run concurrently.
class Stateless {
 public:
  // `tasks`: null: some of its own.
  Stateless(Service& service, Hub& hub, std::shared_ptr<Tasks> tasks = nullptr);
  ~Stateless();

  // `stream` is finished with a result or an error in every case but cancellation.
  Job Accept(Request request, Principal principal, const std::shared_ptr<ReplyStream>& stream,
             const std::stop_source& stop = std::stop_source());
  // Tells those who listen to changes that there will be none any more, and takes no others.
  void EndListening();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace cordon::mcp
