#include "serve/session_secret.h"

#include "net/ascii.h"
#include "net/web_socket.h"

namespace cordon::serve {
namespace {

constexpr std::string_view kParent = "of:";

std::optional<std::string> KeyOf(const net::HttpRequest& request) {
  if (request.fields.Count(kKeyField) == 1) return std::string(*request.fields.Find(kKeyField));
  if (!net::AsksForWebSocket(request)) return std::nullopt;
  for (const std::string& one : net::OfferedSubprotocols(request.fields)) {
    if (one.starts_with(kKeySubprotocol)) return one.substr(kKeySubprotocol.size());
  }
  return std::nullopt;
}

// The one cookie whose name the key begins with.
std::optional<std::string_view> CookieFor(const net::HttpRequest& request, std::string_view key) {
  const std::size_t dot = key.find('.');
  const auto header = request.fields.Find("Cookie");
  if (!header || dot == std::string_view::npos || request.fields.Count("Cookie") != 1) {
    return std::nullopt;
  }
  std::string wanted(kSessionCookie);
  wanted.append(key.substr(0, dot)).append("=");
  std::optional<std::string_view> found;
  std::string_view rest = *header;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(';'), rest.size());
    const std::string_view one = net::TrimBlanks(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!one.starts_with(wanted)) continue;
    if (found) return std::nullopt;  // somebody else has set one, too
    found = one.substr(wanted.size());
  }
  return found;
}

bool IsFromOurPage(const net::HttpRequest& request) {
  const auto site = request.fields.Find("Sec-Fetch-Site");
  if (site && *site != "same-origin") return false;
  const auto origin = request.fields.Find("Origin");
  if (!origin) return !net::AsksForWebSocket(request);
  const auto host = request.fields.Find("Host");
  const std::size_t scheme = origin->find("://");
  if (!host || scheme == std::string_view::npos || request.fields.Count("Origin") != 1) {
    return false;
  }
  return net::SameIgnoringCase(origin->substr(scheme + 3), *host);
}

}  // namespace

std::string SessionSecret(std::string_view cookie, std::string_view key) {
  std::string secret(kSessionPrefix);
  secret.append(cookie).append(".").append(key);
  return secret;
}

std::optional<std::string> SessionSecretOf(const net::HttpRequest& request) {
  const auto key = KeyOf(request);
  if (!key || !IsFromOurPage(request)) return std::nullopt;
  const auto cookie = CookieFor(request, *key);
  if (!cookie) return std::nullopt;
  return SessionSecret(*cookie, *key);
}

std::string ParentScope(std::string_view token) {
  std::string scope(kParent);
  scope += token;
  return scope;
}

std::optional<std::string_view> ParentOf(std::string_view scope) {
  if (!scope.starts_with(kParent)) return std::nullopt;
  return scope.substr(kParent.size());
}

}  // namespace cordon::serve
