#include "serve/gate.h"

#include <charconv>
#include <utility>

#include "serve/problem.h"
#include "serve/session_secret.h"

namespace cordon::serve {
namespace {

net::HttpResponse Unauthorized() {
  net::HttpResponse response =
      Problem(401, "UNAUTHORIZED", "an API token is needed: Authorization: Bearer TOKEN");
  response.fields.Add("WWW-Authenticate", "Bearer realm=\"cordon\"");
  return response;
}

constexpr std::uint64_t kMostJson = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostOfStrangers = std::uint64_t{4} << 10;
constexpr std::uint64_t kMostArguments = std::uint64_t{16} << 20;

// What is plainly too long is not received at all.
bool IsTooLong(const net::HttpRequest& request, const Content& body) {
  const auto header = request.fields.Find("Content-Length");
  if (!header || body.media_type != "application/json") return false;
  std::uint64_t length = UINT64_MAX;
  std::from_chars(header->data(), header->data() + header->size(), length);
  const bool arguments = body.schema == "ToolArguments" || body.schema == "McpMessage";
  return length > (arguments ? kMostArguments : kMostJson);
}

// Of who has not shown anything yet a little is received, and never without end.
bool IsTooLongForStrangers(const net::HttpRequest& request) {
  if (request.fields.Find("Transfer-Encoding")) return true;
  const auto header = request.fields.Find("Content-Length");
  if (!header) return false;
  std::uint64_t length = UINT64_MAX;
  std::from_chars(header->data(), header->data() + header->size(), length);
  return length > kMostOfStrangers;
}

net::HttpResponse MissingScope(std::string_view scope) {
  std::string why = "the token does not have the scope ";
  why += scope;
  return Problem(403, "FORBIDDEN", why);
}

}  // namespace

std::optional<Caller> Gate::Identify(const net::HttpRequest& request) const {
  const std::size_t headers = request.fields.Count("Authorization");
  if (headers == 1) return tokens_.Admit(request.fields.Find("Authorization"));
  if (headers > 1) return std::nullopt;
  const auto session = SessionSecretOf(request);
  return session ? tokens_.AdmitSession(*session) : std::nullopt;
}

std::optional<net::HttpResponse> Gate::Check(net::HttpRequest& request) const {
  auto found = router_.Find(request.method, request.path);
  auto* const way = std::get_if<Router::Found>(&found);
  if (way != nullptr && way->route->admits == Admits::kEverybody) {
    if (IsTooLongForStrangers(request)) {
      return Problem(413, "TOO_LARGE", "this body is too long, or of a length that is not told");
    }
    request.badge = Admitted{way->route, std::move(way->parameters), {}};
    return std::nullopt;
  }
  auto caller = Identify(request);
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
