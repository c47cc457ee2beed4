// MCP, one endpoint per sandbox.
#include <utility>

#include "mcp/client.h"
#include "net/passing_reply.h"
#include "serve/found_sandbox.h"
#include "serve/mcp_endpoints.h"
#include "serve/problem.h"
#include "serve/routes.h"

namespace cordon::serve {
namespace {

// Keeps the sandbox, and the endpoint, until the answer is complete.
class HoldingReply final : public net::PassingReply {
 public:
  HoldingReply(Reply reply, std::shared_ptr<void> activity)
      : PassingReply(std::move(reply)), activity_(std::move(activity)) {}

 private:
  const std::shared_ptr<void> activity_;
};

mcp::Principal PrincipalOf(const Caller& caller) {
  mcp::Principal principal;
  principal.id = caller.user;
  principal.scopes = caller.Has("sandboxes:write") ? "files:read files:write" : "files:read";
  return principal;
}

void Speak(const Context& context, Call& call, const Reply& reply) {
  auto used = UseSandbox(context, call);
  if (!used.value) return reply->Send(used.problem);
  const auto endpoint = context.mcp->Of(*used.value);
  if (!endpoint) return reply->Send(ProblemOf(endpoint.error()));
  call.request.badge = PrincipalOf(call.caller);
  (*endpoint)->http->Handle(std::move(call.request),
                            std::make_shared<HoldingReply>(reply, used.value->activity));
}

// What goes wrong with the protocol is told in its own words, or in plain ones.
std::vector<Answer> WithRefusals(std::vector<Answer> answers) {
  for (const std::uint16_t status : {400, 403, 404}) {
    answers.push_back({status, "Why not, as a message or a Problem", {"McpMessage"}});
  }
  for (const std::uint16_t status : {403, 404, 405, 406, 415}) {
    answers.push_back({status, "Why not", {"", "text/plain"}});
    if (status > 404) answers.push_back({status, "Why not", {"Problem"}});
  }
  return answers;
}

}  // namespace

void AddMcpRoutes(Routes& routes, const Context& context) {
  constexpr std::string_view kPath = "/v1/sandboxes/{id}/mcp";
  const Handler speak = [context](Call& call, const Reply& reply) { Speak(context, call, reply); };
  routes.push_back({"POST",
                    kPath,
                    "postMcp",
                    "A message of the Model Context Protocol",
                    "sandboxes:read",
                    WithRefusals({{200, "A message", {"McpMessage"}},
                                  {200, "Several", {"", "text/event-stream"}},
                                  {202, "It was taken"}}),
                    speak,
                    {},
                    {"McpMessage"}});
  routes.push_back({"GET", kPath, "listenMcp", "What the server has to say by itself",
                    "sandboxes:read", WithRefusals({{200, "Messages", {"", "text/event-stream"}}}),
                    speak});
  routes.push_back({"DELETE", kPath, "endMcp", "End a session", "sandboxes:read",
                    WithRefusals({{204, "It has ended"}, {200, "It has ended"}}), speak});
}

}  // namespace cordon::serve
