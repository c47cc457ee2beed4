#include "mcp/service.h"

namespace cordon::mcp {
namespace {

tl::unexpected<RpcError> NotOffered(std::string_view method) {
  return tl::make_unexpected(MethodNotFound(method));
}

}  // namespace

std::shared_ptr<void> Service::Join(Exchange& /*exchange*/) { return nullptr; }
void Service::RootsChanged(Exchange& /*exchange*/) {}

Answered<Page> Service::ListTools(Exchange& /*exchange*/, const Cursor& /*cursor*/) {
  return NotOffered("tools/list");
}
Answered<ToolResult> Service::CallTool(Exchange& /*exchange*/, std::string_view /*name*/,
                                       const boost::json::object& /*arguments*/) {
  return NotOffered("tools/call");
}
std::optional<TaskTerms> Service::TaskTermsOf(std::string_view /*name*/,
                                              const boost::json::object& /*arguments*/) const {
  return std::nullopt;
}
const boost::json::object* Service::MarkedSchema(std::string_view /*name*/) const {
  return nullptr;
}
Answered<Page> Service::ListResources(Exchange& /*exchange*/, const Cursor& /*cursor*/) {
  return NotOffered("resources/list");
}
Answered<Page> Service::ListResourceTemplates(Exchange& /*exchange*/, const Cursor& /*cursor*/) {
  return NotOffered("resources/templates/list");
}
Answered<boost::json::array> Service::ReadResource(Exchange& /*exchange*/,
                                                   std::string_view /*uri*/) {
  return NotOffered("resources/read");
}
Answered<Service::Lease> Service::Subscribe(Exchange& /*exchange*/, std::string_view /*uri*/) {
  return NotOffered("resources/subscribe");
}
Answered<Page> Service::ListPrompts(Exchange& /*exchange*/, const Cursor& /*cursor*/) {
  return NotOffered("prompts/list");
}
Answered<boost::json::object> Service::GetPrompt(Exchange& /*exchange*/, std::string_view /*name*/,
                                                 const boost::json::object& /*arguments*/) {
  return NotOffered("prompts/get");
}
Answered<Completions> Service::Complete(Exchange& /*exchange*/,
                                        const CompletionRequest& /*request*/) {
  return NotOffered("completion/complete");
}

}  // namespace cordon::mcp
