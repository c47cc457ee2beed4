// What must be done before an answer may be sent, e.g. that it is recorded what it tells.
#pragma once

#include <boost/json/object.hpp>
#include <optional>

namespace cordon::mcp {

// Thread safety: one thread at a time, not always the same.
class Precondition {
 public:
  virtual ~Precondition() = default;
  // Sees to it. Set: it failed, and this is the result that is sent instead.
  virtual std::optional<boost::json::object> Fulfil() = 0;
};

}  // namespace cordon::mcp
