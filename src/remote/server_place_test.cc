#include "remote/server_place.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "remote/url_text.h"

namespace cordon::remote {
namespace {

class ServerPlaceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    state_ = ::testing::TempDir() + "cordon-remote-XXXXXX";
    ASSERT_NE(::mkdtemp(state_.data()), nullptr);
  }
  void TearDown() override { std::filesystem::remove_all(state_); }
  void WriteToken(const std::string& name, mode_t mode = 0600) const {
    const std::string path = state_ + "/" + name;
    std::ofstream(path) << "secret\n";
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
  }
  ServerHints Hints() const {
    ServerHints hints;
    hints.state = state_;
    return hints;
  }
  std::string state_;
};

TEST_F(ServerPlaceTest, AServerLeavesItsAddressWhileItRuns) {
  WriteToken("token");
  {
    const auto file = AddressFile::Write(state_, "http://127.0.0.1:41");
    ASSERT_TRUE(file.has_value());
    struct stat seen {};
    ASSERT_EQ(::stat((state_ + "/address").c_str(), &seen), 0);
    EXPECT_EQ(seen.st_mode & 0777U, 0600U);
    const auto found = FindServer(Hints());
    ASSERT_TRUE(found.has_value()) << found.error().detail;
    EXPECT_EQ(found->peer.host, "127.0.0.1");
    EXPECT_EQ(found->peer.port, 41);
    EXPECT_EQ(found->token, "secret");
  }
  const auto gone = FindServer(Hints());
  ASSERT_FALSE(gone.has_value());
  EXPECT_NE(gone.error().detail.find("cordon serve"), std::string::npos);
}

TEST_F(ServerPlaceTest, ATokenThatOthersCanReadIsRefused) {
  WriteToken("token", 0644);
  ServerHints hints = Hints();
  hints.server = "127.0.0.1:1";
  const auto found = FindServer(hints);
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().code, ErrorCode::kPermissionDenied);
}

TEST_F(ServerPlaceTest, WhatIsSaidGoesBeforeWhatIsFound) {
  WriteToken("other");
  ServerHints hints = Hints();
  hints.server = "unix:/run/x";
  hints.token_file = state_ + "/other";
  auto found = FindServer(hints);
  ASSERT_TRUE(found.has_value()) << found.error().detail;
  EXPECT_EQ(found->peer.unix_socket, "/run/x");
  EXPECT_EQ(found->token, "secret");
  hints.token = "said\n";
  found = FindServer(hints);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->token, "said");
}

TEST(ServerAddress, HasItsForms) {
  EXPECT_EQ(ParseServerAddress("http://[::1]:7/")->host, "::1");
  EXPECT_EQ(ParseServerAddress("http:///run/socket")->unix_socket, "/run/socket");
  EXPECT_EQ(ParseServerAddress(":7070")->port, 7070);
  for (const char* bad : {"", "https://h:1", "127.0.0.1", "http://"}) {
    EXPECT_FALSE(ParseServerAddress(bad).has_value()) << bad;
  }
}

TEST(UrlText, EscapesWhatIsNoPart) {
  EXPECT_EQ(UrlPath("a b/%\xff.txt"), "a%20b/%25%FF.txt");
  EXPECT_EQ(UrlValue("a/b&c"), "a%2Fb%26c");
}

}  // namespace
}  // namespace cordon::remote
