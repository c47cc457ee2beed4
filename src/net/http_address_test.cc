#include <gtest/gtest.h>

#include "net/http_server.h"

namespace cordon::net {
namespace {

TEST(ParseHttpAddress, TakesWhatItSays) {
  EXPECT_EQ(ParseHttpAddress("127.0.0.1:8080")->host, "127.0.0.1");
  EXPECT_EQ(ParseHttpAddress("127.0.0.1:8080")->port, 8080);
  EXPECT_EQ(ParseHttpAddress("[::1]:0")->host, "::1");
  EXPECT_EQ(ParseHttpAddress(":65535")->host, "127.0.0.1");
  EXPECT_EQ(ParseHttpAddress(":65535")->port, 65535);
  EXPECT_EQ(ParseHttpAddress("localhost:1")->host, "localhost");
  EXPECT_EQ(ParseHttpAddress("unix:/run/x.sock")->unix_socket, "/run/x.sock");
  EXPECT_EQ(ParseHttpAddress("0.0.0.0:1")->reach, HttpAddress::Reach::kLoopback);
}

TEST(ParseHttpAddress, RefusesWhatCouldMeanSomethingElse) {
  for (const char* text : {"", "8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "h:1x", "h:-1",
                           "::1:80", "[::1]", "[]:80", "[h]:80", "[::1:80", "unix:", "h: 1"}) {
    const auto parsed = ParseHttpAddress(text);
    ASSERT_FALSE(parsed.has_value()) << text;
    EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidArguments) << text;
  }
}

}  // namespace
}  // namespace cordon::net
