#include "serve/gate.h"

#include <utility>

#include "serve/problem.h"

namespace cordon::serve {
namespace {

net::HttpResponse Unauthorized() {
  net::HttpResponse response =
      Problem(401, "UNAUTHORIZED", "an API token is needed: Authorization: Bearer TOKEN");
  response.fields.Add("WWW-Authenticate", "Bearer realm=\"cordon\"");
  return response;
}

net::HttpResponse MissingScope(std::string_view scope) {
  std::string why = "the token does not have the scope ";
  why += scope;
  return Problem(403, "FORBIDDEN", why);
}

}  // namespace

std::optional<net::HttpResponse> Gate::Check(net::HttpRequest& request) const {
  auto found = router_.Find(request.method, request.path);
  auto* const way = std::get_if<Router::Found>(&found);
  if (way != nullptr && way->route->admits == Admits::kEverybody) {
    request.badge = Admitted{way->route, std::move(way->parameters), {}};
    return std::nullopt;
  }
  const bool one = request.fields.Count("Authorization") == 1;
  auto caller = tokens_.Admit(one ? request.fields.Find("Authorization") : std::nullopt);
  if (!caller) return Unauthorized();
  if (const auto* const wrong = std::get_if<Router::WrongMethod>(&found)) {
    net::HttpResponse response =
        Problem(405, "METHOD_NOT_ALLOWED", "this is there, but not for that method");
    response.fields.Add("Allow", wrong->allow);
    return response;
  }
  if (way == nullptr) return NoSuchObject();
  if (!way->route->scope.empty() && !caller->Has(way->route->scope)) {
    return MissingScope(way->route->scope);
  }
  request.badge = Admitted{way->route, std::move(way->parameters), std::move(*caller)};
  return std::nullopt;
}

}  // namespace cordon::serve
