// Tasks in the handshake era, of which only 2025-11-25 has them.
#pragma once

#include <atomic>
#include <boost/json/object.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "mcp/exchange.h"
#include "mcp/rpc_error.h"
#include "mcp/service.h"
#include "mcp/tasks.h"

namespace cordon::mcp {

// The client says which calls are to be tasks. What a task asks is asked while the client
// waits for its result.
// Thread safety: may run concurrently.
class SessionTasks {
 public:
  SessionTasks(Service& service, std::shared_ptr<Tasks> tasks);

  // Nothing where a request is no matter of tasks.
  std::optional<Answered<boost::json::object>> Take(Exchange& exchange, std::string_view method,
                                                    const boost::json::object& params);
  // Says of each tool in a list whether it can be a task.
  void Mark(boost::json::object& listed, Revision revision) const;
  // The session ends, and its tasks with it.
  void End() { tasks_->ForgetAllOf(owner_); }

 private:
  using Reply = Answered<boost::json::object>;
  std::optional<Reply> Call(Exchange& exchange, const boost::json::object& params);
  Reply List(Exchange& exchange, const boost::json::object& params);
  // Waits for the end.
  Reply Result(Exchange& exchange, const std::shared_ptr<Task>& task);
  void Ask(Exchange& exchange, const std::shared_ptr<Task>& task,
           const boost::json::object& questions);

  Service& service_;
  const std::shared_ptr<Tasks> tasks_;
  const Tasks::Owner owner_;
  std::atomic<std::size_t> waiting_ = 0;  // for results; each has a thread
};

}  // namespace cordon::mcp
