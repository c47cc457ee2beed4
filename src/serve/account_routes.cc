// Users and tokens: one's own, and with the scope "admin" everybody's.
#include <boost/json/array.hpp>
#include <utility>

#include "base/try.h"
#include "serve/accounts.h"
#include "serve/found_sandbox.h"
#include "serve/object_json.h"
#include "serve/problem.h"
#include "serve/query.h"
#include "serve/routes.h"

namespace cordon::serve {
namespace {

namespace json = boost::json;
constexpr std::uint64_t kLongestLife = std::uint64_t{10} * 366 * 24 * 3600;

net::HttpResponse ListUsers(const Context& context, Call& /*call*/) {
  const auto users = context.store->ListUsers();
  if (!users) return ProblemOf(users.error());
  json::array list;
  for (const store::User& one : *users) list.push_back(UserObject(one));
  return JsonAnswer(200, {{"users", std::move(list)}});
}

net::HttpResponse CreateUser(const Context& context, Call& call) {
  auto body = JsonBody::Parse(call.request);
  if (!body) return ProblemOf(body.error());
  const std::string name = body->Text("name").value_or("");
  if (const Status checked = body->Check(); !checked) return ProblemOf(checked.error());
  if (context.store->FindUserByName(name)) {
    return Problem(409, "ALREADY_EXISTS", "there is a user of this name");
  }
  const auto user = EnsureUser(*context.store, name, context.now());
  if (!user) return ProblemOf(user.error());
  return JsonAnswer(201, UserObject(*user));
}

// Whose tokens are meant: another user's are for administrators.
Result<std::string> UserMeant(const Call& call) {
  TRY_ASSIGN(const Query query, Query::Parse(call.request.query));
  return query.Text("user").value_or(call.caller.user);
}

net::HttpResponse ListTokens(const Context& context, Call& call) {
  const auto user = UserMeant(call);
  if (!user) return ProblemOf(user.error());
  const auto tokens = context.store->ListTokens(*user);
  if (!tokens) return LifeProblem(tokens.error());
  json::array list;
  for (const store::Token& one : *tokens) list.push_back(TokenObject(one));
  return JsonAnswer(200, {{"tokens", std::move(list)}});
}

net::HttpResponse MakeToken(const Context& context, Call& call) {
  auto body = JsonBody::Parse(call.request);
  if (!body) return ProblemOf(body.error());
  TokenTerms terms;
  terms.user = body->Text("userId").value_or(call.caller.user);
  terms.label = body->Text("label").value_or("");
  terms.scopes = body->Texts("scopes").value_or(std::vector<std::string>());
  const auto life = body->Number("expiresInSeconds", kLongestLife);
  if (life && *life == 0) body->Refuse("expiresInSeconds", "this must be one second at least");
  if (const Status checked = body->Check(); !checked) return ProblemOf(checked.error());
  const store::Time now = context.now();
  if (life) terms.expires = now + static_cast<store::Time>(*life) * 1000;
  const auto made = CreateToken(*context.store, terms, now);
  if (!made) return LifeProblem(made.error());
  json::object object = TokenObject(made->record);
  object["secret"] = made->secret;
  return JsonAnswer(201, std::move(object));
}

net::HttpResponse RevokeToken(const Context& context, Call& call) {
  const auto user = UserMeant(call);
  if (!user) return ProblemOf(user.error());
  const Status revoked = context.store->RevokeToken(*user, call.Parameter("id"), context.now());
  if (!revoked) return LifeProblem(revoked.error());
  context.tokens->Forget();
  return net::HttpResponse{204, {}, {}};
}

template <typename Work>
Handler With(const Context& context, Work work) {
  return Answering([context, work](Call& call) { return work(context, call); });
}

}  // namespace

void AddAccountRoutes(Routes& routes, const Context& context) {
  routes.push_back({"GET",
                    "/v1/users",
                    "listUsers",
                    "All users",
                    "admin",
                    {{200, "All of them", {"UserList"}}},
                    With(context, ListUsers)});
  routes.push_back({"POST",
                    "/v1/users",
                    "createUser",
                    "Add a user",
                    "admin",
                    {{201, "The user", {"User"}}},
                    With(context, CreateUser),
                    {},
                    {"NewUser"}});
  routes.push_back({"GET",
                    "/v1/tokens",
                    "listTokens",
                    "The tokens of a user, without their secrets",
                    "admin",
                    {{200, "All of them", {"TokenList"}}},
                    With(context, ListTokens),
                    {{"user", "string", "Whose; one's own if not given"}}});
  routes.push_back({"POST",
                    "/v1/tokens",
                    "createToken",
                    "Make a token",
                    "admin",
                    {{201, "With its secret, this once", {"Token"}}},
                    With(context, MakeToken),
                    {},
                    {"NewToken"}});
  routes.push_back({"DELETE",
                    "/v1/tokens/{id}",
                    "revokeToken",
                    "Revoke a token",
                    "admin",
                    {{204, "It opens nothing any more"}},
                    With(context, RevokeToken),
                    {{"user", "string", "Whose; one's own if not given"}}});
}

}  // namespace cordon::serve
