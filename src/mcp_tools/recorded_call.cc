#include "mcp_tools/recorded_call.h"

#include <utility>

#include "mcp_tools/tool_result.h"

namespace cordon::mcp_tools {

RecordedCall::RecordedCall(std::shared_ptr<guard::Guard> guard,
                           std::vector<std::unique_ptr<audit::Receipt>> receipts)
    : guard_(std::move(guard)), receipts_(std::move(receipts)) {}

std::optional<Error> RecordedCall::Await() {
  for (const auto& receipt : receipts_) {
    if (Status recorded = receipt->Await(); !recorded) return std::move(recorded.error());
  }
  return std::nullopt;
}

std::optional<boost::json::object> RecordedCall::Fulfil() {
  const std::optional<Error> failed = Await();
  if (!failed) return std::nullopt;
  boost::json::object result;
  result["content"] = RefusedCall(*failed).content;
  result["isError"] = true;
  return result;
}

}  // namespace cordon::mcp_tools
