#include "cli/mcp_http.h"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <utility>

#include "auth/access.h"
#include "auth/jwt_access.h"
#include "base/printable.h"
#include "base/try.h"
#include "cli/common_flags.h"
#include "cli/report.h"
#include "confine/ambient_authority.h"
#include "confine/root.h"
#include "platform/standard_output.h"

namespace cordon::cli {
namespace {

constexpr const char* kGroup = "HTTP";
constexpr std::size_t kShortestToken = 22;  // 128 bits in base64
constexpr std::size_t kLongestToken = 4096;
constexpr std::size_t kLongestJwks = std::size_t{1} << 20;

Result<std::string> ReadToken(const std::string& file) {
  TRY_ASSIGN(
      std::string token,
      confine::ReadAmbientFile(file, kLongestToken, confine::AmbientAuthority::OfThisProcess()));
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r')) token.pop_back();
  const bool plain =
      std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c <= '~'; });
  if (!plain || token.size() < kShortestToken) {
    return UsageError("--token-file: " + Quoted(file) + " must hold one token of at least " +
                      std::to_string(kShortestToken) + " visible characters, and nothing else");
  }
  return token;
}

// An authorization server's tokens instead of one of ours.
Result<std::shared_ptr<const auth::Access>> OAuthAccess(const McpHttpFlags& flags) {
  if (flags.token_file) return UsageError("--token-file and --oauth-jwks exclude each other");
  if (!flags.oauth_resource || flags.oauth_issuers.empty()) {
    return UsageError("--oauth-jwks needs --oauth-resource and --oauth-issuer");
  }
  auth::JwtTerms terms;
  TRY_ASSIGN(terms.jwks, confine::ReadAmbientFile(*flags.oauth_jwks, kLongestJwks,
                                                  confine::AmbientAuthority::OfThisProcess()));
  terms.resource = *flags.oauth_resource;
  terms.issuers = flags.oauth_issuers;
  terms.scopes = {"files:read", "files:write"};
  TRY_ASSIGN(std::unique_ptr<auth::Access> access, auth::JwtAccess(std::move(terms)));
  return std::shared_ptr<const auth::Access>(std::move(access));
}

Result<std::shared_ptr<const auth::Access>> AccessFor(const McpHttpFlags& flags,
                                                      const net::HttpAddress& address) {
  using Access = std::shared_ptr<const auth::Access>;
  if (flags.oauth_jwks) return OAuthAccess(flags);
  if (flags.oauth_resource || !flags.oauth_issuers.empty()) {
    return UsageError("--oauth-resource and --oauth-issuer need --oauth-jwks");
  }
  if (flags.token_file) {
    TRY_ASSIGN(const std::string token, ReadToken(*flags.token_file));
    return Access(auth::BearerToken(token));
  }
  if (!address.unix_socket.empty()) return Access(auth::EverybodyWhoConnects());
  const std::string token = auth::NewToken();
  std::cerr << "cordon: clients need this token: " << token << '\n' << std::flush;
  return Access(auth::BearerToken(token));
}

}  // namespace

void AddMcpHttpFlags(CLI::App& command, McpHttpFlags& flags) {
  AddText(command, "--http", flags.address,
          "Serve over HTTP instead: 127.0.0.1:8080, [::1]:0 (any free port) or unix:/path")
      ->type_name("ADDRESS")
      ->group(kGroup);
  AddText(command, "--token-file", flags.token_file,
          "The bearer token clients must show; default: a new one, said on stderr")
      ->type_name("FILE")
      ->group(kGroup);
  AddText(command, "--oauth-jwks", flags.oauth_jwks,
          "Take access tokens (JWT) signed with a key of this JWKS file instead")
      ->type_name("FILE")
      ->group(kGroup);
  AddText(command, "--oauth-resource", flags.oauth_resource,
          "This server's own URL, for which tokens must be made out")
      ->type_name("URL")
      ->group(kGroup);
  AddList(command, "--oauth-issuer", flags.oauth_issuers, "URL",
          "The authorization server whose tokens are taken. Repeatable.")
      ->group(kGroup);
  AddList(command, "--allow-origin", flags.origins, "ORIGIN",
          "A web page's origin that may call, besides this host's own. Repeatable.")
      ->group(kGroup);
  AddList(command, "--allow-host", flags.hosts, "NAME",
          "A name by which clients call this host. Repeatable.")
      ->group(kGroup);
}

Result<McpHttpChoices> ParseMcpHttpFlags(const McpHttpFlags& flags) {
  McpHttpChoices choices;
  TRY_ASSIGN(choices.options.address, net::ParseHttpAddress(*flags.address));
  choices.options.origins = flags.origins;
  choices.options.hosts = flags.hosts;
  TRY_ASSIGN(choices.access, AccessFor(flags, choices.options.address));
  return choices;
}

Status ServeHttp(const McpHttpChoices& choices,
                 const std::function<Result<std::unique_ptr<mcp::Service>>(mcp::Hub&)>& make) {
  // Before there are threads, which must not take the signals.
  TRY_ASSIGN(const platform::OutputWatch watch, platform::OutputWatch::Begin());
  mcp::Hub hub;
  TRY_ASSIGN(const std::unique_ptr<mcp::Service> service, make(hub));
  TRY_ASSIGN(const std::unique_ptr<mcp::HttpServer> server,
             mcp::HttpServer::Start(*service, hub, choices.access, choices.options));
  std::cout << server->url() << '\n' << std::flush;
  while (watch.Wait(std::chrono::hours(1)) == platform::OutputWatch::Outcome::kGoOn) {
  }
  return {};
}

}  // namespace cordon::cli
