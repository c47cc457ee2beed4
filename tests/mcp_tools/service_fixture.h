// The service on a workspace of a test's own, and clients of it.
#pragma once

#include <gmock/gmock.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <memory>
#include <string>
#include <vector>

#include "mcp/hub.h"
#include "mcp_tools/tools_service.h"
#include "tests/guard/guard_fixture.h"
#include "tests/mcp_tools/fake_exchange.h"
#include "tools/menu.h"

namespace cordon::testing {

class ServiceTest : public GuardTest {
 protected:
  ServiceTest() { settings_.profile = policy::Profile::kStrict; }

  void Serve(const mcp_tools::ServiceOptions& options = {},
             const tools::Menu& menu = tools::OwnMenu()) {
    auto boundary = guard::Boundary::Open(settings_, confine::Resolver::kAuto,
                                          confine::AmbientAuthority::OfThisProcess());
    ASSERT_TRUE(boundary) << boundary.error().detail;
    const auto desk =
        std::make_shared<consent::Desk>(std::vector<std::shared_ptr<consent::Channel>>{});
    service_ = std::make_unique<mcp_tools::ToolsService>(
        menu,
        guard::Guard::Parts{std::move(*boundary), recorder_, desk, {"s", "mcp", "", ""}, keeper_},
        hub_, options);
  }

  // A client of the handshake era that has joined and answers as `reply` says.
  std::unique_ptr<WaitingExchange> Joined(WaitingExchange::Reply reply = Nobody) {
    auto exchange = std::make_unique<WaitingExchange>(std::move(reply));
    exchange->attachment_ = service_->Join(*exchange);
    return exchange;
  }
  static ClientAnswer Nobody(std::string_view, const boost::json::object&) {
    return tl::make_unexpected(mcp::AskFailure::kIncapable);
  }

  mcp::Answered<mcp::ToolResult> Call(mcp::Exchange& exchange, std::string_view tool,
                                      const std::string& arguments) {
    return service_->CallTool(exchange, tool, boost::json::parse(arguments).as_object());
  }
  // Its first text, or what went wrong.
  std::string Told(mcp::Exchange& exchange, std::string_view tool, const std::string& arguments) {
    const auto result = Call(exchange, tool, arguments);
    if (!result) return result.error().message;
    return std::string(result->content.at(0).at("text").as_string());
  }

  mcp::Hub hub_;
  std::unique_ptr<mcp_tools::ToolsService> service_;
};

}  // namespace cordon::testing
