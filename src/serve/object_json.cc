#include "serve/object_json.h"

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <cstdio>

#include "audit/timestamp.h"
#include "tools/result_object.h"

namespace cordon::serve {
namespace {

namespace json = boost::json;
using store::Sandbox;
using store::SandboxState;

void AddTime(json::object& object, std::string_view name, const std::optional<store::Time>& time) {
  if (time) object[name] = TimeText(*time);
}

json::object FactsOf(const Sandbox& sandbox) {
  json::error_code failed;
  json::value facts = json::parse(sandbox.facts, failed);
  return failed || !facts.is_object() ? json::object() : std::move(facts.as_object());
}

json::object ResourcesObject(const provision::Resources& resources) {
  return {{"cpus", resources.cpus},
          {"memory", resources.memory},
          {"processes", resources.processes},
          {"disk", resources.disk}};
}

json::object IsolationObject(const std::optional<provision::Wish>& wish,
                             const json::object& facts) {
  json::object isolation;
  if (wish && wish->isolation) {
    isolation["requested"] = provision::IsolationName(*wish->isolation);
  }
  for (const std::string_view name : {"isolation", "isolation_detail", "isolationDetail"}) {
    const json::value* const found = facts.if_contains(name);
    if (found == nullptr || !found->is_string()) continue;
    isolation[name == "isolation" ? "actual" : "detail"] = *found;
  }
  return isolation;
}

// What really holds, whatever was asked for.
void AddLimits(json::object& object, const json::object& facts) {
  const json::value* const held = facts.if_contains("resources");
  if (held == nullptr || !held->is_object()) return;
  json::object limits = held->get_object();
  const json::value* const hold = facts.if_contains("diskHold");
  limits["diskHold"] = hold != nullptr && hold->is_string() ? *hold : json::value("not");
  object["limits"] = std::move(limits);
}

// As 003 has them; what lies between is told by what it is on the way from.
std::string_view OldStatus(SandboxState state) {
  switch (state) {
    case SandboxState::kPending: return "pending";
    case SandboxState::kReady:
    case SandboxState::kPaused: return "ready";
    case SandboxState::kFailed: return "failed";
    case SandboxState::kTerminating:
    case SandboxState::kTerminated: break;
  }
  return "terminated";
}

void AddEnding(json::object& object, const Sandbox& sandbox) {
  AddTime(object, "endedAt", sandbox.ended);
  if (sandbox.exit_status) object["exitStatus"] = *sandbox.exit_status;
  if (sandbox.memory != Sandbox::Memory::kUnknown) {
    object["outOfMemory"] = sandbox.memory == Sandbox::Memory::kRanOut;
  }
  if (!sandbox.last_lines.empty()) object["lastLines"] = tools::ValidUtf8(sandbox.last_lines);
}

}  // namespace

std::string TimeText(store::Time time) {
  const store::Time milliseconds = ((time % 1000) + 1000) % 1000;
  std::string text = audit::FormatSeconds((time - milliseconds) * 1'000'000);
  std::array<char, 8> fraction{};
  std::snprintf(fraction.data(), fraction.size(), ".%03dZ", static_cast<int>(milliseconds));
  text.pop_back();  // the Z
  text += fraction.data();
  return text;
}

json::object SandboxObject(const Sandbox& sandbox) {
  std::optional<provision::Wish> wish;
  if (auto decoded = provision::DecodeWish(sandbox.terms)) wish = std::move(*decoded);
  const json::object facts = FactsOf(sandbox);
  json::object object{{"id", sandbox.id.text()},
                      {"status",
                       {{"state", store::StateName(sandbox.state)},
                        {"reason", sandbox.reason},
                        {"message", tools::ValidUtf8(sandbox.message)},
                        {"lastTransitionAt", TimeText(sandbox.changed)}}},
                      {"driver", sandbox.driver},
                      {"isolation", IsolationObject(wish, facts)},
                      {"createdAt", TimeText(sandbox.created)},
                      {"lastActiveAt", TimeText(sandbox.active)}};
  if (sandbox.conversation) object["conversationId"] = *sandbox.conversation;
  if (wish) {
    object["image"] = tools::ValidUtf8(wish->image);
    object["network"] = tools::ValidUtf8(wish->network);
    object["resources"] = ResourcesObject(wish->resources);
  }
  AddLimits(object, facts);
  if (!sandbox.public_url.empty()) object["publicUrl"] = sandbox.public_url;
  AddTime(object, "readyAt", sandbox.ready);
  AddTime(object, "expiresAt", sandbox.expires);
  AddEnding(object, sandbox);
  return object;
}

json::object ConversationObject(const store::Conversation& conversation,
                                const std::optional<Sandbox>& sandbox) {
  json::object object{{"id", conversation.id},
                      {"title", tools::ValidUtf8(conversation.title)},
                      {"createdAt", TimeText(conversation.created)}};
  object["sandboxId"] = nullptr;
  object["sandboxStatus"] = "terminated";
  object["sandboxReason"] = "";
  object["sandboxMessage"] = "";
  object["sandboxCreatedAt"] = nullptr;
  object["sandboxPublicUrl"] = nullptr;
  if (conversation.sandbox) object["sandboxId"] = conversation.sandbox->text();
  if (!sandbox) return object;
  object["sandboxId"] = sandbox->id.text();
  object["sandboxStatus"] = OldStatus(sandbox->state);
  object["sandboxReason"] = sandbox->reason;
  object["sandboxMessage"] = tools::ValidUtf8(sandbox->message);
  object["sandboxCreatedAt"] = TimeText(sandbox->created);
  if (!sandbox->public_url.empty()) object["sandboxPublicUrl"] = sandbox->public_url;
  return object;
}

json::object TokenObject(const store::Token& token) {
  json::object object{{"id", token.id},
                      {"userId", token.user},
                      {"label", tools::ValidUtf8(token.label)},
                      {"scopes", json::array(token.scopes.begin(), token.scopes.end())},
                      {"createdAt", TimeText(token.created)}};
  AddTime(object, "expiresAt", token.expires);
  AddTime(object, "revokedAt", token.revoked);
  AddTime(object, "lastUsedAt", token.used);
  return object;
}

json::object UserObject(const store::User& user) {
  return {{"id", user.id},
          {"name", tools::ValidUtf8(user.name)},
          {"createdAt", TimeText(user.created)}};
}

}  // namespace cordon::serve
