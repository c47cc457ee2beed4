// Tasks in the stateless era: the extension "io.modelcontextprotocol/tasks".
#pragma once

#include <boost/json/object.hpp>
#include <memory>
#include <optional>
#include <stop_token>

#include "mcp/client.h"
#include "mcp/message.h"
#include "mcp/rpc_error.h"
#include "mcp/service.h"
#include "mcp/tasks.h"

namespace cordon::mcp {

// What is asked before a handle is given is asked by the reply, as without tasks; what is asked
// later, by the task. A call that ends while its handle is not given is answered as any.
// Thread safety: may run concurrently.
class StatelessTasks {
 public:
  StatelessTasks(Service& service, std::shared_ptr<Tasks> tasks)
      : service_(service), tasks_(std::move(tasks)) {}

  struct Asked {
    const Request& request;
    const Client& client;
    const std::optional<boost::json::object>& carried;
    const std::stop_token& stop;
  };
  struct Answer {
    Answered<boost::json::object> reply;
    // What the client has to be asked instead, and what is carried with it.
    boost::json::object pending = {};
    boost::json::object carry = {};
  };
  // Nothing where a request is no matter of tasks.
  std::optional<Answer> Take(const Asked& asked);

  Tasks& tasks() { return *tasks_; }

 private:
  std::optional<Answer> Call(const Asked& asked);
  Answer Started(const Asked& asked, const std::shared_ptr<Task>& task, const TaskTerms& terms);
  Answered<boost::json::object> Manage(const Asked& asked);

  Service& service_;
  const std::shared_ptr<Tasks> tasks_;
};

}  // namespace cordon::mcp
