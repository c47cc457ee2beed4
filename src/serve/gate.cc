#include "serve/gate.h"

#include <charconv>
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

constexpr std::uint64_t kMostJson = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostArguments = std::uint64_t{16} << 20;

// What is plainly too long is not received at all.
bool IsTooLong(const net::HttpRequest& request, const Content& body) {
  const auto header = request.fields.Find("Content-Length");
  if (!header || body.media_type != "application/json") return false;
  std::uint64_t length = UINT64_MAX;
  std::from_chars(header->data(), header->data() + header->size(), length);
  return length > (body.schema == "ToolArguments" ? kMostArguments : kMostJson);
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
  if (IsTooLong(request, way->route->body)) {
    return Problem(413, "TOO_LARGE", "this body is too long");
  }
  request.badge = Admitted{way->route, std::move(way->parameters), std::move(*caller)};
  return std::nullopt;
}

}  // namespace cordon::serve
