#include "hook/verdict.h"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <utility>

namespace cordon::hook {
namespace {

namespace json = boost::json;

constexpr int kBlocked = 2;

std::string Line(const json::object& object) { return json::serialize(object) + "\n"; }

std::string ClaudeAsk(const std::string& reason) {
  json::object decision;
  decision["hookEventName"] = "PreToolUse";
  decision["permissionDecision"] = "ask";
  decision["permissionDecisionReason"] = reason;
  json::object output;
  output["hookSpecificOutput"] = std::move(decision);
  return Line(output);
}

std::string CursorPermission(std::string_view permission, const std::string& reason) {
  json::object output;
  output["permission"] = permission;
  output["user_message"] = reason;
  output["agent_message"] = reason;
  return Line(output);
}

std::string GeminiDeny(const std::string& reason) {
  json::object output;
  output["decision"] = "deny";
  output["reason"] = reason;
  return Line(output);
}

Reply Deny(Agent agent, std::string reason) {
  // Without a text, some take a refusal for a failure and go on.
  if (reason.empty()) reason = "Cordon refuses this.";
  Reply reply;
  if (agent == Agent::kGemini) reply.out = GeminiDeny(reason);
  if (agent == Agent::kCursor) reply.out = CursorPermission("deny", reason);
  reply.err = std::move(reason) + "\n";
  reply.status = kBlocked;
  return reply;
}

}  // namespace

void Verdict::Add(Verdict other) {
  if (other.answer > answer) *this = std::move(other);
}

Reply ReplyFor(Agent agent, const Verdict& verdict) {
  switch (verdict.answer) {
    case Answer::kNoOpinion: return {};
    case Answer::kAsk:
      if (agent == Agent::kClaude) return {ClaudeAsk(verdict.reason), {}, 0};
      if (agent == Agent::kCursor) return {CursorPermission("ask", verdict.reason), {}, 0};
      break;
    case Answer::kDeny: break;
  }
  return Deny(agent, verdict.reason);
}

}  // namespace cordon::hook
