// A call whose records are written when its answer is about to be sent.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "audit/deferral.h"
#include "cordon/error.h"
#include "guard/guard.h"
#include "mcp/precondition.h"

namespace cordon::mcp_tools {

// Guarantees: when it is fulfilled, everything that the call has read is in the log.
class RecordedCall final : public mcp::Precondition {
 public:
  // `guard`: whose log it is; kept as long as this.
  RecordedCall(std::shared_ptr<guard::Guard> guard,
               std::vector<std::unique_ptr<audit::Receipt>> receipts);

  std::optional<boost::json::object> Fulfil() override;
  // The same. Set: why not everything could be recorded.
  std::optional<Error> Await();

 private:
  const std::shared_ptr<guard::Guard> guard_;
  const std::vector<std::unique_ptr<audit::Receipt>> receipts_;
};

}  // namespace cordon::mcp_tools
