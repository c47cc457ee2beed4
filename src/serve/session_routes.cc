// Signing in with a browser, and out again.
#include <boost/json/array.hpp>
#include <utility>

#include "net/ascii.h"
#include "serve/json_body.h"
#include "serve/object_json.h"
#include "serve/problem.h"
#include "serve/routes.h"
#include "serve/session_secret.h"
#include "serve/sessions.h"

namespace cordon::serve {
namespace {

namespace json = boost::json;

json::object SessionObject(const Context& context, const std::string& user,
                           const std::vector<std::string>& scopes) {
  json::array told;
  for (const std::string& one : scopes) {
    if (!ParentOf(one)) told.emplace_back(one);
  }
  json::object object{{"userId", user}, {"scopes", std::move(told)}};
  if (const auto found = context.store->FindUser(user)) object["user"] = UserObject(*found)["name"];
  return object;
}

// Behind TLS the cookie keeps to it.
std::string Cookie(const net::HttpRequest& request, const std::string& name,
                   const std::string& value, std::int64_t seconds) {
  std::string text = name;
  text.append("=").append(value).append("; Path=/v1; HttpOnly; SameSite=Strict; Max-Age=");
  text.append(std::to_string(seconds));
  const auto proto = request.fields.Find("X-Forwarded-Proto");
  if (proto && net::SameIgnoringCase(*proto, "https")) text.append("; Secure");
  return text;
}

net::HttpResponse SignIn(const Context& context, Call& call) {
  auto body = JsonBody::Parse(call.request);
  if (!body) return ProblemOf(body.error());
  const auto code = body->Text("code");
  const auto token = body->Text("token");
  if (code.has_value() == token.has_value()) body->Refuse("code", "either a code or a token");
  if (const Status checked = body->Check(); !checked) return ProblemOf(checked.error());
  const auto opened =
      code ? context.sessions->OpenWithCode(*code) : context.sessions->OpenWithToken(*token);
  if (!opened && opened.error().code == ErrorCode::kPermissionDenied) {
    return Problem(401, "UNAUTHORIZED", opened.error().detail);
  }
  if (!opened) return ProblemOf(opened.error());
  const store::Token& record = opened->record;
  json::object object = SessionObject(context, record.user, record.scopes);
  object["key"] = opened->key;
  object["expiresAt"] = TimeText(*record.expires);
  net::HttpResponse response = JsonAnswer(201, std::move(object));
  response.fields.Add("Set-Cookie", Cookie(call.request, opened->name, opened->cookie,
                                           (*record.expires - record.created) / 1000));
  response.fields.Add("Cache-Control", "no-store");
  return response;
}

net::HttpResponse Show(const Context& context, Call& call) {
  return JsonAnswer(200, SessionObject(context, call.caller.user, call.caller.scopes));
}

net::HttpResponse SignOut(const Context& context, Call& call) {
  const auto key = call.request.fields.Find(kKeyField);
  if (!key || call.request.fields.Find("Authorization")) {
    return Problem(409, "CONFLICT", "this is no session but a token, which has to be revoked");
  }
  if (const Status ended = context.sessions->End(call.caller); !ended) {
    return ProblemOf(ended.error());
  }
  std::string name(kSessionCookie);
  name.append(key->substr(0, key->find('.')));
  net::HttpResponse response{204, {}, {}};
  response.fields.Add("Set-Cookie", Cookie(call.request, name, "", 0));
  return response;
}

net::HttpResponse MakeCode(const Context& context, Call& call) {
  const Sessions::Code made = context.sessions->NewCode(call.caller);
  net::HttpResponse response =
      JsonAnswer(201, {{"code", made.code}, {"expiresAt", TimeText(made.expires)}});
  response.fields.Add("Cache-Control", "no-store");
  return response;
}

template <typename Work>
Handler With(const Context& context, Work work) {
  return Answering([context, work](Call& call) { return work(context, call); });
}

}  // namespace

void AddSessionRoutes(Routes& routes, const Context& context) {
  routes.push_back(
      {"POST",
       "/v1/session",
       "signIn",
       "Open a session for a browser, with a code or a token",
       "",
       {{201, "The key to send as Cordon-Key; the cookie is the other half", {"Session"}}},
       With(context, SignIn),
       {},
       {"SignIn"},
       Admits::kEverybody});
  routes.push_back({"GET",
                    "/v1/session",
                    "getSession",
                    "Who one is, and what one may",
                    "",
                    {{200, "That", {"Session"}}},
                    With(context, Show)});
  routes.push_back({"DELETE",
                    "/v1/session",
                    "signOut",
                    "End this session",
                    "",
                    {{204, "It opens nothing any more"}},
                    With(context, SignOut)});
  routes.push_back({"POST",
                    "/v1/session/codes",
                    "createSignInCode",
                    "A code with which a browser gets a session like this token",
                    "",
                    {{201, "Good once, for ten minutes: ADDRESS/#code=CODE", {"SignInCode"}}},
                    With(context, MakeCode)});
}

}  // namespace cordon::serve
