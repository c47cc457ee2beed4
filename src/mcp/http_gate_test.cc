// Who may speak to the server, over real sockets.
#include "mcp/http_gate.h"

#include <gtest/gtest.h>

#include "auth/jwt_access.h"
#include "mcp/client.h"
#include "tests/support/http_fake.h"
#include "tests/support/signing_key.h"

namespace cordon::mcp {
namespace {

using test::HttpText;
using test::RawAnswer;
using test::RawClient;
using test::SigningKey;
namespace json = boost::json;

constexpr std::string_view kToken = "0123456789abcdef0123456789abcdef";

class HttpGateTest : public test::HttpTest {
 protected:
  int StatusOf(const std::string& fields) {
    return Ask(fields + Headers("tools/list"), Body("tools/list", Meta())).status;
  }
};

TEST_F(HttpGateTest, KnowsItsNames) {
  HttpOptions options;
  options.hosts = {"Files.Example", "other.example:8443"};
  Start(options);
  for (const char* host : {"localhost", "LOCALHOST:1", "127.0.0.1:8080", "[::1]:9", "[::1]",
                           "files.example", "FILES.example:99", "other.example:8443"}) {
    EXPECT_EQ(StatusOf("Host: " + std::string(host) + "\r\n"), 200) << host;
  }
  for (const char* host :
       {"evil.example.com", "localhost.evil.com", "evil.com:80", "127.0.0.1.nip.io", "localhost:x",
        "localhost@evil.com", "other.example", ":80", "", "localhost.", "[::1", "127.0.0.2"}) {
    EXPECT_EQ(StatusOf("Host: " + std::string(host) + "\r\n"), 403) << host;
  }
  EXPECT_EQ(service_.calls, 0);
}

TEST_F(HttpGateTest, KnowsItsOrigins) {
  HttpOptions options;
  options.origins = {"https://App.example"};
  Start(options);
  for (const char* origin : {"http://localhost:6274", "https://127.0.0.1", "http://[::1]:3",
                             "https://app.example", "HTTPS://APP.example"}) {
    const RawAnswer answer = Ask("Origin: " + std::string(origin) + "\r\n" + Headers("tools/list"),
                                 Body("tools/list", Meta()));
    EXPECT_EQ(answer.status, 200) << origin;
    EXPECT_EQ(answer.Field("Access-Control-Allow-Origin"), origin);
  }
  for (const char* origin :
       {"null", "", "https://evil.example", "http://app.example", "https://app.example:444",
        "https://app.example.evil.com", "http://localhost.evil.com", "http://localhost:80@evil.com",
        "file://", "localhost", "ftp://localhost", "http://"}) {
    EXPECT_EQ(StatusOf("Origin: " + std::string(origin) + "\r\n"), 403) << origin;
  }
  EXPECT_EQ(StatusOf("Origin: http://localhost\r\nOrigin: https://evil.example\r\n"), 403);
}

TEST_F(HttpGateTest, AnswersBrowsersBeforeTheyAsk) {
  Start({}, auth::BearerToken(std::string(kToken)));
  const RawAnswer good =
      Ask("Origin: http://localhost:1\r\nAccess-Control-Request-Method: POST\r\n", "", "OPTIONS");
  EXPECT_EQ(good.status, 204);
  EXPECT_NE(good.Field("Access-Control-Allow-Headers").find("Mcp-Session-Id"), std::string::npos);
  EXPECT_EQ(Ask("Origin: http://evil.example\r\n", "", "OPTIONS").status, 403);
  EXPECT_EQ(Ask("", "", "OPTIONS").status, 401);
}

TEST_F(HttpGateTest, WantsTheToken) {
  Start({}, auth::BearerToken(std::string(kToken)));
  const std::string good = "Authorization: Bearer " + std::string(kToken) + "\r\n";
  EXPECT_EQ(StatusOf(good), 200);
  EXPECT_EQ(StatusOf(""), 401);
  EXPECT_EQ(StatusOf("Authorization: Bearer x\r\n"), 401);
  EXPECT_EQ(StatusOf(good + good), 401);
  EXPECT_EQ(StatusOf(good + "Host: evil.example\r\n"), 403);
  EXPECT_EQ(StatusOf("Origin: http://evil.example\r\n"), 403);  // before it is asked for a token
  const RawAnswer refused = Ask("Authorization: Bearer x\r\n", "", "GET");
  EXPECT_NE(refused.Field("WWW-Authenticate").find("error=\"invalid_token\""), std::string::npos);
  // Never by the target.
  RawClient client(port_);
  EXPECT_EQ(client.Ask(HttpText("POST", "/mcp?access_token=" + std::string(kToken), "", "")).status,
            401);
}

TEST_F(HttpGateTest, StrangersCannotMakeUsTakeABody) {
  Start({}, auth::BearerToken(std::string(kToken)));
  RawClient client(port_);
  const RawAnswer answer =
      client.Ask("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50000000\r\n\r\n");
  EXPECT_EQ(answer.status, 401);
  EXPECT_TRUE(client.IsClosed());
}

TEST_F(HttpGateTest, HasOneEndpoint) {
  Start();
  for (const char* path : {"/", "/mcp/", "/MCP", "/mcp/x", "//mcp", "/%6dcp",
                           "/.well-known/oauth-protected-resource"}) {
    RawClient client(port_);
    EXPECT_EQ(client.Ask(HttpText("GET", path, "", "")).status, 404) << path;
  }
  EXPECT_EQ(Ask("", "", "GET").status, 405);
}

// With an authorization server.
class HttpOAuthTest : public test::HttpTest {
 protected:
  static const SigningKey& Key() {
    static const SigningKey key = SigningKey::Ec("P-256");
    return key;
  }
  HttpOAuthTest() {
    auto access =
        auth::JwtAccess({"https://files.example/mcp",
                         {"https://login.example"},
                         {"files:read", "files:write"},
                         json::serialize(json::object{{"keys", json::array{Key().Public()}}})});
    EXPECT_TRUE(access.has_value());
    Start({}, std::move(*access));
  }
  static std::string Bearer(const std::string& subject, const std::string& scope) {
    const auto now = std::chrono::duration_cast<std::chrono::seconds>(
                         std::chrono::system_clock::now().time_since_epoch())
                         .count();
    const json::object claims = {{"iss", "https://login.example"},
                                 {"aud", "https://files.example/mcp"},
                                 {"sub", subject},
                                 {"exp", now + 60},
                                 {"scope", scope}};
    return "Authorization: Bearer " + Key().Token({{"alg", "ES256"}}, claims) + "\r\n";
  }
};

TEST_F(HttpOAuthTest, SaysWhereTokensComeFrom) {
  const RawAnswer refused = Ask("", "", "GET");
  EXPECT_EQ(refused.status, 401);
  EXPECT_EQ(refused.Field("WWW-Authenticate"),
            "Bearer realm=\"mcp\", "
            "resource_metadata=\"https://files.example/.well-known/oauth-protected-resource/mcp\", "
            "scope=\"files:read files:write\"");
  for (const char* path :
       {"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"}) {
    RawClient client(port_);
    const RawAnswer answer = client.Ask(HttpText("GET", path, "", ""));
    EXPECT_EQ(answer.status, 200) << path;
    EXPECT_EQ(json::parse(answer.body).at("resource"), "https://files.example/mcp");
  }
  RawClient client(port_);
  EXPECT_EQ(client.Ask(HttpText("GET", "/.well-known/oauth-protected-resource/x", "", "")).status,
            401);
}

TEST_F(HttpOAuthTest, TooLittleScopeIsToldInBothEras) {
  const std::string little = Bearer("ann", "files:read");
  const std::string challenge =
      "Bearer error=\"insufficient_scope\", scope=\"files:read files:write\", "
      "resource_metadata=\"https://files.example/.well-known/oauth-protected-resource/mcp\"";
  RawClient client(port_);
  RawAnswer answer = client.Ask(Tool("write", little));
  EXPECT_EQ(answer.status, 403);
  EXPECT_EQ(answer.Field("WWW-Authenticate"), challenge);
  EXPECT_EQ(CodeIn(answer.body), -31403);
  const std::string id = Initialize("2025-11-25", "{}", little);
  answer = Ask(little + InSession(id), Call("write"));
  EXPECT_EQ(answer.status, 403);
  EXPECT_EQ(answer.Field("WWW-Authenticate"), challenge);
  // A better token counts at once, in the same session; and so does a worse one.
  EXPECT_EQ(Ask(Bearer("ann", "files:read files:write") + InSession(id), Call("write")).status,
            200);
  EXPECT_EQ(Ask(little + InSession(id), Call("write")).status, 403);
}

TEST_F(HttpOAuthTest, ASessionBelongsToItsParty) {
  const std::string ann = Bearer("ann", "files:write");
  const std::string bob = Bearer("bob", "files:write");
  const std::string id = Initialize("2025-11-25", "{}", ann);
  EXPECT_EQ(Ask(bob + InSession(id), Call("echo")).status, 404);
  EXPECT_EQ(Ask(bob + InSession(id) + "Accept: text/event-stream\r\n", "", "GET").status, 404);
  EXPECT_EQ(Ask(bob + InSession(id), "", "DELETE").status, 404);
  EXPECT_EQ(Ask(bob + InSession(id), R"({"jsonrpc":"2.0","id":1,"result":{}})").status, 404);
  EXPECT_EQ(Ask(InSession(id), Call("echo")).status, 401);  // its id is no proof of anything
  EXPECT_EQ(Ask(ann + InSession(id), Call("echo")).status, 200);
  EXPECT_EQ(service_.calls, 1);
}

}  // namespace
}  // namespace cordon::mcp
