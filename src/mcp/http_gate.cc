#include "mcp/http_gate.h"

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <utility>

#include "mcp/client.h"
#include "mcp/http_answer.h"
#include "net/ascii.h"

namespace cordon::mcp {
namespace {

namespace json = boost::json;

constexpr std::string_view kWellKnown = "/.well-known/oauth-protected-resource";
constexpr std::array<std::string_view, 3> kLoopback = {"localhost", "127.0.0.1", "[::1]"};

// "host" of "host:port"; nothing if it is not of that form.
std::optional<std::string> HostPart(std::string_view authority) {
  const std::size_t bracket = authority.rfind(']');
  const std::size_t colon = authority.rfind(':');
  const bool has_port =
      colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket);
  if (has_port) {
    const std::string_view port = authority.substr(colon + 1);
    if (port.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  }
  const std::string_view host = has_port ? authority.substr(0, colon) : authority;
  if (host.empty()) return std::nullopt;
  return net::LowerCase(host);
}

bool IsLoopback(std::string_view host) {
  return std::find(kLoopback.begin(), kLoopback.end(), host) != kLoopback.end();
}

// As it stands in a Host header.
std::string HostOf(const net::HttpAddress& address) {
  const std::string lower = net::LowerCase(address.host);
  return lower.find(':') == std::string::npos ? lower : "[" + lower + "]";
}

std::vector<std::string> LowerCase(std::vector<std::string> all) {
  for (std::string& one : all) one = net::LowerCase(one);
  return all;
}

bool Contains(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

// Text between quotes in a header.
std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') quoted += '\\';
    quoted += letter;
  }
  quoted += '"';
  return quoted;
}

std::string Joined(const json::value* list) {
  std::string joined;
  if (list == nullptr || !list->is_array()) return joined;
  for (const json::value& one : list->get_array()) {
    if (!one.is_string()) continue;
    if (!joined.empty()) joined += ' ';
    joined += std::string_view(one.get_string());
  }
  return joined;
}

// "https://host/mcp" has it at "https://host/.well-known/oauth-protected-resource/mcp".
std::string MetadataUrl(std::string_view resource) {
  const std::size_t scheme = resource.find("://");
  const std::size_t path =
      scheme == std::string_view::npos ? scheme : resource.find('/', scheme + 3);
  std::string url(resource.substr(0, path));
  url += kWellKnown;
  if (path != std::string_view::npos && path + 1 < resource.size()) url += resource.substr(path);
  return url;
}

}  // namespace

HttpGate::HttpGate(const HttpOptions& options, std::shared_ptr<const auth::Access> access)
    : endpoint_(options.endpoint),
      origins_(LowerCase(options.origins)),
      hosts_([&] {
        std::vector<std::string> hosts = LowerCase(options.hosts);
        if (!options.address.host.empty()) hosts.push_back(HostOf(options.address));
        return hosts;
      }()),
      local_socket_(!options.address.unix_socket.empty()),
      loopback_(local_socket_ || options.address.reach == net::HttpAddress::Reach::kLoopback ||
                IsLoopback(HostOf(options.address))),
      access_(std::move(access)) {
  const json::object* const metadata = access_->metadata();
  if (metadata == nullptr) return;
  metadata_ = json::serialize(*metadata);
  scopes_ = Joined(metadata->if_contains("scopes_supported"));
  const json::value* const resource = metadata->if_contains("resource");
  if (resource != nullptr && resource->is_string()) {
    metadata_url_ = MetadataUrl(std::string_view(resource->get_string()));
  }
}

bool HttpGate::IsOurHost(const net::HttpFields& fields) const {
  if (local_socket_) return true;  // no name leads to it
  const auto header = fields.Find("Host");
  if (!header) return false;
  const auto host = HostPart(*header);
  if (!host) return false;
  return IsLoopback(*host) || Contains(hosts_, *host) || Contains(hosts_, net::LowerCase(*header));
}

bool HttpGate::IsGoodOrigin(std::string_view origin) const {
  const std::string lower = net::LowerCase(origin);
  if (Contains(origins_, lower)) return true;
  if (!loopback_) return false;
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!lower.starts_with(scheme)) continue;
    const auto host = HostPart(std::string_view(lower).substr(scheme.size()));
    return host && IsLoopback(*host);
  }
  return false;
}

bool HttpGate::IsMetadataPath(std::string_view path) const {
  if (!path.starts_with(kWellKnown)) return false;
  const std::string_view rest = path.substr(kWellKnown.size());
  return rest.empty() || rest == endpoint_;
}

net::HttpResponse HttpGate::Unauthorized(std::string_view why, bool presented) const {
  std::string challenge = "Bearer realm=\"mcp\"";
  if (presented) challenge += ", error=\"invalid_token\", error_description=" + Quoted(why);
  if (!metadata_url_.empty()) challenge += ", resource_metadata=" + Quoted(metadata_url_);
  if (!scopes_.empty()) challenge += ", scope=" + Quoted(scopes_);
  net::HttpResponse response = PlainText(401, why);
  response.fields.Add("WWW-Authenticate", std::move(challenge));
  return response;
}

std::string HttpGate::ScopeChallenge(std::string_view scopes) const {
  std::string challenge = "Bearer error=\"insufficient_scope\", scope=" + Quoted(scopes);
  if (!metadata_url_.empty()) challenge += ", resource_metadata=" + Quoted(metadata_url_);
  return challenge;
}

void HttpGate::AllowOrigin(const net::HttpFields& request, net::HttpFields& response) const {
  const auto origin = request.Find("Origin");
  if (!origin) return;
  response.Add("Access-Control-Allow-Origin", std::string(*origin));
  response.Add("Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate");
  response.Add("Vary", "Origin");
}

std::optional<net::HttpResponse> HttpGate::Check(net::HttpRequest& request) const {
  if (!IsOurHost(request.fields)) return PlainText(403, "this server has another name");
  const auto origin = request.fields.Find("Origin");
  if (origin && (request.fields.Count("Origin") > 1 || !IsGoodOrigin(*origin))) {
    return PlainText(403, "pages of this origin have no access");
  }
  if (!metadata_.empty() && request.method == "GET" && IsMetadataPath(request.path)) {
    net::HttpResponse response = JsonAnswer(200, metadata_);
    response.fields.Add("Access-Control-Allow-Origin", "*");
    return response;
  }
  if (request.method == "OPTIONS" && origin) {
    net::HttpResponse response{204, {}, {}};
    AllowOrigin(request.fields, response.fields);
    response.fields.Add("Access-Control-Allow-Methods", "POST, GET, DELETE");
    response.fields.Add("Access-Control-Allow-Headers",
                        "Authorization, Content-Type, Accept, Mcp-Protocol-Version, "
                        "Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID");
    return response;
  }
  const auto authorization = request.fields.Find("Authorization");
  const bool one = request.fields.Count("Authorization") == 1;
  const Result<auth::Party> party = access_->Admit(one ? authorization : std::nullopt);
  if (!party) {
    net::HttpResponse refused = Unauthorized(party.error().detail, authorization.has_value());
    AllowOrigin(request.fields, refused.fields);
    return refused;
  }
  if (request.path != endpoint_) return PlainText(404, "there is nothing here");
  request.badge = Principal{party->id, party->scopes};
  return std::nullopt;
}

}  // namespace cordon::mcp
