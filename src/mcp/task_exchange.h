// A task's call of the Service: a request of the stateless era that nobody listens to.
#pragma once

#include <boost/json/object.hpp>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

#include "mcp/stateless_exchange.h"
#include "mcp/task.h"

namespace cordon::mcp {

// Neither progress nor log messages: tasks have none. Clients of both eras are asked alike.
class TaskExchange final : public StatelessExchange {
 public:
  // `call` and `given`, which has "inputResponses", outlive it.
  TaskExchange(const TaskCall& call, const boost::json::object& given,
               std::optional<boost::json::object> carried, std::stop_token stop)
      : StatelessExchange(call.client, given, std::move(carried), std::move(stop), nullptr),
        attachment_(call.attachment) {}

  const std::shared_ptr<void>& attachment() const override { return attachment_; }

 private:
  const std::shared_ptr<void>& attachment_;
};

}  // namespace cordon::mcp
