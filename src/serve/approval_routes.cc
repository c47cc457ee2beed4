// Questions of a user's sandboxes: listed, streamed, answered.
#include <boost/json/array.hpp>
#include <map>
#include <utility>

#include "cordon/operation.h"
#include "serve/approvals.h"
#include "serve/events.h"
#include "serve/explanation_json.h"
#include "serve/json_body.h"
#include "serve/object_json.h"
#include "serve/problem.h"
#include "serve/routes.h"
#include "serve/slots.h"
#include "tools/result_object.h"

namespace cordon::serve {
namespace {

namespace json = boost::json;
using consent::Choice;
using tools::ValidUtf8;

constexpr std::chrono::milliseconds kPulse{15'000};

void AddText(json::object& object, std::string_view name, std::string_view text) {
  if (!text.empty()) object[name] = ValidUtf8(text);
}

json::object ApprovalObject(const ApprovalBoard::Pending& pending) {
  const consent::Question& question = pending.question;
  json::array choices;
  for (const Choice one : {Choice::kDeny, Choice::kOnce, Choice::kDirectory, Choice::kTool}) {
    if (question.Offers(one)) choices.emplace_back(consent::ChoiceName(one));
  }
  json::object object{{"id", question.id},
                      {"sandboxId", pending.sandbox},
                      {"actor", ValidUtf8(question.actor)},
                      {"tool", ValidUtf8(question.tool)},
                      {"operation", OperationName(question.operation)},
                      {"reason", consent::ReasonName(question.reason)},
                      {"path", ValidUtf8(question.path)},
                      {"asked", ValidUtf8(question.asked)},
                      {"state", ValidUtf8(question.state)},
                      {"choices", std::move(choices)},
                      {"askedAt", TimeText(pending.asked)},
                      {"expiresAt", TimeText(pending.expires)}};
  AddText(object, "command", question.command);
  if (!question.command.empty()) object["explanation"] = ExplanationObject(question.command);
  AddText(object, "target", question.target);
  AddText(object, "preview", question.preview);
  AddText(object, "directory", question.directory.value_or(""));
  AddText(object, "trusted", question.trusted.value_or(""));
  return object;
}

net::HttpResponse List(const Context& context, Call& call) {
  json::array approvals;
  for (const auto& one : context.approvals->List(call.caller.user)) {
    approvals.push_back(ApprovalObject(one));
  }
  return JsonAnswer(200, {{"approvals", std::move(approvals)}});
}

std::string_view HowName(ApprovalBoard::Settled::How how) {
  switch (how) {
    case ApprovalBoard::Settled::How::kAnswered: return "answered";
    case ApprovalBoard::Settled::How::kTimeout: return "timeout";
    case ApprovalBoard::Settled::How::kWithdrawn: break;
  }
  return "withdrawn";
}

json::object SettledObject(const ApprovalBoard& board, const std::string& user,
                           const std::string& id, const std::string& sandbox) {
  json::object object{{"id", id}, {"sandboxId", sandbox}, {"outcome", "withdrawn"}};
  const auto settled = board.FindSettled(user, id);
  if (!settled) return object;
  object["outcome"] = HowName(settled->how);
  if (settled->how == ApprovalBoard::Settled::How::kAnswered) {
    object["choice"] = consent::ChoiceName(settled->choice);
  }
  return object;
}

// What is new and what is over since `told`; false: the client is gone.
bool TellChanges(const ApprovalBoard& board, const std::string& user,
                 std::map<std::string, std::string>& told, const Reply& reply) {
  const std::vector<ApprovalBoard::Pending> now = board.List(user);
  std::map<std::string, std::string> current;
  for (const auto& one : now) {
    current.emplace(one.question.id, one.sandbox);
    if (told.contains(one.question.id)) continue;
    if (!reply->Write(EventText("asked", ApprovalObject(one)))) return false;
  }
  for (const auto& [id, sandbox] : told) {
    if (current.contains(id)) continue;
    if (!reply->Write(EventText("settled", SettledObject(board, user, id, sandbox)))) return false;
  }
  told = std::move(current);
  return true;
}

void Stream(const Context& context, Call& call, const Reply& reply) {
  const auto slot = context.streams->Take(call.caller.user);
  if (!slot) return reply->Send(Problem(429, "LIMIT_EXCEEDED", "too many streams are open"));
  reply->Begin(EventStreamHead());
  std::map<std::string, std::string> told;
  std::uint64_t seen = context.approvals->WaitForChange(0, std::chrono::milliseconds(0));
  auto last = std::chrono::steady_clock::now();
  while (reply->open() && !context.approvals->closed()) {
    if (!TellChanges(*context.approvals, call.caller.user, told, reply)) return;
    // Not longer at once: a client that has gone is noticed by looking.
    seen = context.approvals->WaitForChange(seen, std::chrono::milliseconds(500));
    const auto now = std::chrono::steady_clock::now();
    if (now - last < kPulse) continue;
    last = now;
    if (!reply->Write(std::string(kStillHere))) return;
  }
  reply->End();
}

// A second answer changes nothing; who gave it is told what holds.
net::HttpResponse TooLate(const Context& context, const Call& call) {
  const auto settled = context.approvals->FindSettled(call.caller.user, call.Parameter("id"));
  if (!settled) return NoSuchObject();
  if (settled->how != ApprovalBoard::Settled::How::kAnswered) {
    return Problem(409, "CONFLICT",
                   "the question is over: nobody answered in time, or it was withdrawn");
  }
  std::string why = "somebody has answered this before: ";
  why += consent::ChoiceName(settled->choice);
  return Problem(409, "CONFLICT", why);
}

net::HttpResponse Settle(const Context& context, Call& call) {
  auto body = JsonBody::Parse(call.request);
  if (!body) return ProblemOf(body.error());
  const auto choice = consent::ParseChoice(body->Text("choice").value_or(""));
  if (!choice) body->Refuse("choice", "this must be deny, once, directory or tool");
  if (const Status checked = body->Check(); !checked) return ProblemOf(checked.error());
  switch (context.approvals->Answer(call.caller.user, call.Parameter("id"), *choice)) {
    case ApprovalBoard::Outcome::kTaken: return net::HttpResponse{204, {}, {}};
    case ApprovalBoard::Outcome::kNotOffered:
      return Problem(409, "CONFLICT", "the question does not offer this choice");
    case ApprovalBoard::Outcome::kTooLate: return TooLate(context, call);
    case ApprovalBoard::Outcome::kNotFound: break;
  }
  return NoSuchObject();
}

}  // namespace

void AddApprovalRoutes(Routes& routes, const Context& context) {
  routes.push_back({"GET",
                    "/v1/approvals",
                    "listApprovals",
                    "Questions that wait for an answer",
                    "approvals",
                    {{200, "All of them", {"ApprovalList"}}},
                    Answering([context](Call& call) { return List(context, call); })});
  routes.push_back({"GET",
                    "/v1/approvals/stream",
                    "streamApprovals",
                    "The same as they come",
                    "approvals",
                    {{200, "Events asked and settled", {"", "text/event-stream"}}},
                    [context](Call& call, const Reply& reply) { Stream(context, call, reply); }});
  routes.push_back({"POST",
                    "/v1/approvals/{id}",
                    "answerApproval",
                    "Answer one",
                    "approvals",
                    {{204, "It was taken"}, {409, "It was answered before, or is over", kProblem}},
                    Answering([context](Call& call) { return Settle(context, call); }),
                    {},
                    {"ApprovalAnswer"}});
}

}  // namespace cordon::serve
