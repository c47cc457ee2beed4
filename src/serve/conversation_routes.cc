// Conversations: each has a sandbox of its own, or does not exist.
#include <boost/json/array.hpp>
#include <utility>

#include "base/try.h"
#include "provision/fault_point.h"
#include "serve/accounts.h"
#include "serve/found_sandbox.h"
#include "serve/object_json.h"
#include "serve/problem.h"
#include "serve/query.h"
#include "serve/routes.h"
#include "serve/shown.h"

namespace cordon::serve {
namespace {

namespace json = boost::json;

constexpr std::uint64_t kMostAPage = 1000;
constexpr std::size_t kLongestTitle = 1024;

// Its last one, also when it has ended.
std::optional<store::Sandbox> SandboxOf(const Context& context,
                                        const store::Conversation& conversation) {
  if (!conversation.sandbox) return std::nullopt;
  auto found = context.sandboxes->Find(conversation.user, *conversation.sandbox);
  if (!found) return std::nullopt;
  return std::move(*found);
}

// What the one who asked can mend is told as such; the rest is that it cannot be had now.
net::HttpResponse ProvisioningProblem(const Error& error) {
  if (error.code == ErrorCode::kInvalidArguments || error.code == ErrorCode::kLimitExceeded ||
      error.code == ErrorCode::kSandboxRequired) {  // less isolation can be asked for
    return ProblemOf(error);
  }
  net::HttpResponse response = ProblemOf(error);
  response.status = 503;
  return response;
}

net::HttpResponse Create(const Context& context, Call& call) {
  auto body = JsonBody::Parse(call.request);
  if (!body) return ProblemOf(body.error());
  store::Conversation conversation;
  conversation.title = body->Text("title").value_or("");
  if (conversation.title.size() > kLongestTitle) body->Refuse("title", "this is too long");
  provision::Wish wish;
  if (auto given = body->Object("sandbox")) {
    JsonBody inner(std::move(*given));
    wish = ReadWish(inner);
    if (const Status checked = inner.Check(); !checked) {
      body->Refuse("sandbox." + checked.error().component, checked.error().detail);
    }
  }
  if (const Status checked = body->Check(); !checked) return ProblemOf(checked.error());
  conversation.id = NewObjectId("cnv_");
  conversation.user = call.caller.user;
  conversation.created = conversation.changed = context.now();
  // Until its sandbox is ready it is not founded: a crash leaves nothing that the next start
  // does not forget.
  if (const Status added = context.store->AddConversation(conversation, nullptr); !added) {
    return ProvisioningProblem(added.error());
  }
  provision::FaultPoint("conversation.added");
  const auto sandbox = context.sandboxes->Create({call.caller.user, conversation.id}, wish);
  provision::FaultPoint("conversation.settled");
  if (!sandbox) {
    const Status forgotten = context.store->ForgetConversation(conversation.id);
    return ProvisioningProblem(forgotten ? sandbox.error() : forgotten.error());
  }
  net::HttpResponse response = JsonAnswer(201, ShownConversation(context, conversation, *sandbox));
  response.fields.Add("Location", "/v1/conversations/" + conversation.id);
  return response;
}

Result<store::Conversation> Find(const Context& context, const Call& call) {
  TRY_ASSIGN(store::Conversation found,
             context.store->FindConversation(call.caller.user, call.Parameter("id")));
  if (!found.deleted) return found;
  Error error;
  error.code = ErrorCode::kNotFound;
  return error;
}

net::HttpResponse Get(const Context& context, Call& call) {
  const auto found = Find(context, call);
  if (!found) return LifeProblem(found.error());
  return JsonAnswer(200, ShownConversation(context, *found, SandboxOf(context, *found)));
}

Result<json::object> Page(const Context& context, const Call& call) {
  TRY_ASSIGN(const Query query, Query::Parse(call.request.query));
  TRY_ASSIGN(const std::uint64_t limit, query.NumberOr("limit", 100, 1, kMostAPage));
  TRY_ASSIGN(const auto found,
             context.store->ListConversations(call.caller.user, query.Text("after"), limit));
  json::array conversations;
  for (const store::Conversation& one : found) {
    if (one.deleted) continue;
    conversations.push_back(ShownConversation(context, one, SandboxOf(context, one)));
  }
  json::value next = nullptr;
  if (!found.empty() && found.size() == limit) next = found.back().id;
  return json::object{{"conversations", std::move(conversations)}, {"next", std::move(next)}};
}

net::HttpResponse List(const Context& context, Call& call) {
  auto page = Page(context, call);
  if (!page) return ProblemOf(page.error());
  return JsonAnswer(200, std::move(*page));
}

net::HttpResponse Delete(const Context& context, Call& call) {
  const auto found = Find(context, call);
  if (!found) return LifeProblem(found.error());
  if (found->sandbox) {
    const Status ended = context.sandboxes->End(call.caller.user, *found->sandbox, "user_delete");
    if (!ended && ended.error().code != ErrorCode::kNotFound) return LifeProblem(ended.error());
  }
  provision::FaultPoint("conversation.ended");
  const Status marked =
      context.store->MarkConversationDeleted(call.caller.user, found->id, context.now());
  if (!marked) return LifeProblem(marked.error());
  provision::FaultPoint("conversation.deleted");
  return net::HttpResponse{204, {}, {}};
}

template <typename Work>
Handler With(const Context& context, Work work) {
  return Answering([context, work](Call& call) { return work(context, call); });
}

}  // namespace

void AddConversationRoutes(Routes& routes, const Context& context) {
  routes.push_back({"POST",
                    "/v1/conversations",
                    "createConversation",
                    "Begin a conversation with a sandbox of its own",
                    "sandboxes:write",
                    {{201, "Its sandbox is ready", {"Conversation"}}},
                    With(context, Create),
                    {},
                    {"NewConversation"}});
  routes.push_back({"GET",
                    "/v1/conversations",
                    "listConversations",
                    "The conversations of this user, by age",
                    "sandboxes:read",
                    {{200, "A page of them", {"ConversationPage"}}},
                    With(context, List),
                    {{"after", "string", "The `next` of the page before"},
                     {"limit", "integer", "Most on a page, 100 if not given"}}});
  routes.push_back({"GET",
                    "/v1/conversations/{id}",
                    "getConversation",
                    "One conversation",
                    "sandboxes:read",
                    {{200, "The conversation", {"Conversation"}}},
                    With(context, Get)});
  routes.push_back({"DELETE",
                    "/v1/conversations/{id}",
                    "deleteConversation",
                    "End it and its sandbox",
                    "sandboxes:write",
                    {{204, "Both are gone"}},
                    With(context, Delete)});
}

}  // namespace cordon::serve
