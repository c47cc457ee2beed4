// Cordon's tools, files and questions, served over MCP.
#pragma once

#include <optional>
#include <string>

#include "guard/guard.h"
#include "mcp/hub.h"
#include "mcp/service.h"
#include "mcp_tools/clients.h"
#include "mcp_tools/file_resources.h"
#include "mcp_tools/memory_budget.h"
#include "mcp_tools/tool_shelf.h"
#include "tools/menu.h"

namespace cordon::mcp_tools {

struct ServiceOptions {
  Offer offer = Offer::kEverything;
  std::string version;
};

// Knows nothing of transports and eras: an Exchange is all it speaks to.
//
// Guarantees: whatever a client asks for goes through its Guard; tools that change
//   something are neither told nor run where they are not offered, or where the principal
//   lacks the scope "files:write"; nothing at all without "files:read". A person is asked
//   through the client first, about tools' calls and resources that are read, and else
//   through the desk; lists, completions and subscriptions ask nobody.
// Thread safety: every method may run concurrently.
class ToolsService final : public mcp::Service {
 public:
  // `menu` and `hub` must outlive it. `parts`: as Clients takes them.
  ToolsService(const tools::Menu& menu, guard::Guard::Parts parts, mcp::Hub& hub,
               const ServiceOptions& options);

  const mcp::Description& Describe() const override { return description_; }
  std::shared_ptr<void> Join(mcp::Exchange& exchange) override;
  void RootsChanged(mcp::Exchange& exchange) override;

  mcp::Answered<mcp::Page> ListTools(mcp::Exchange& exchange, const Cursor& cursor) override;
  mcp::Answered<mcp::ToolResult> CallTool(mcp::Exchange& exchange, std::string_view name,
                                          const boost::json::object& arguments) override;

  std::optional<mcp::TaskTerms> TaskTermsOf(std::string_view name,
                                            const boost::json::object& arguments) const override;

  mcp::Answered<mcp::Page> ListResources(mcp::Exchange& exchange, const Cursor& cursor) override;
  mcp::Answered<mcp::Page> ListResourceTemplates(mcp::Exchange& exchange,
                                                 const Cursor& cursor) override;
  mcp::Answered<boost::json::array> ReadResource(mcp::Exchange& exchange,
                                                 std::string_view uri) override;
  mcp::Answered<Lease> Subscribe(mcp::Exchange& exchange, std::string_view uri) override;
  mcp::Answered<mcp::Completions> Complete(mcp::Exchange& exchange,
                                           const mcp::CompletionRequest& request) override;

 private:
  // The guard of a client that may read, or why not.
  mcp::Answered<std::shared_ptr<guard::Guard>> Reader(mcp::Exchange& exchange);

  const ToolShelf shelf_;
  mcp::Description description_;
  Clients clients_;
  Subscriptions subscriptions_;
  MemoryBudget memory_{MemoryBudget::Limits{}};
};

}  // namespace cordon::mcp_tools
