#include "preview/preview_host.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace cordon::preview {
namespace {

const std::string kId = "abcdefghijklmnopqrstuvwxyz";

UrlTerms Terms() {
  UrlTerms terms;
  terms.mode = Mode::kProduction;
  terms.domain = "p.example";
  return terms;
}

TEST(PreviewHost, NamesASandboxAndAPort) {
  const auto usual = ParsePreviewHost("preview-" + kId + ".p.example", Terms());
  ASSERT_TRUE(usual);
  EXPECT_EQ(usual->id.text(), kId);
  EXPECT_EQ(usual->port, kUsualPort);
  const auto other = ParsePreviewHost("PREVIEW-" + kId + "-3000.P.Example:8443", Terms());
  ASSERT_TRUE(other);
  EXPECT_EQ(other->port, 3000);
}

TEST(PreviewHost, IsWhatUrlsAreMadeOf) {
  const auto id = SandboxId::Parse(kId).value();
  for (const std::uint16_t port : {1, 80, 5173, 65535}) {
    const std::string url = PreviewUrlOfPort(id, port, Terms());
    const auto parsed = ParsePreviewHost(url.substr(url.find("//") + 2), Terms());
    ASSERT_TRUE(parsed) << url;
    EXPECT_EQ(parsed->port, port);
  }
}

TEST(PreviewHost, NothingElseIsOne) {
  const std::string name = "preview-" + kId;
  const std::vector<std::string> all = {std::string(),
                                        std::string("."),
                                        std::string("p.example"),
                                        name,
                                        name + ".",
                                        name + ".p.example.",
                                        name + ".p.example.evil",
                                        name + ".evil.p.example",
                                        "x." + name + ".p.example",
                                        "x" + name + ".p.example",
                                        kId + ".p.example",
                                        "preview-" + kId.substr(1) + ".p.example",
                                        name + "a.p.example",
                                        name + "-.p.example",
                                        name + "-0.p.example",
                                        name + "-080.p.example",
                                        name + "-65536.p.example",
                                        name + "-3000-1.p.example",
                                        name + "-+80.p.example",
                                        name + ".p.example:",
                                        name + ".p.example:0",
                                        name + ".p.example:x",
                                        name + ".p.example:80:80",
                                        "user@" + name + ".p.example",
                                        name + ".p.example@evil",
                                        name + ".p.example/x",
                                        name + ".p.example x",
                                        " " + name + ".p.example",
                                        name + ".p.exam%70le",
                                        "preview-1" + kId.substr(1) + ".p.example",
                                        "[::1]",
                                        "127.0.0.1",
                                        name + std::string(1, '\0') + ".p.example"};
  for (const std::string& bad : all) {
    EXPECT_FALSE(ParsePreviewHost(bad, Terms())) << bad;
  }
}

TEST(PreviewHost, InDevelopmentTheMachineItself) {
  EXPECT_TRUE(IsLocalHost("localhost:30001", 30001));
  EXPECT_TRUE(IsLocalHost("127.0.0.1:30001", 30001));
  for (const char* bad : {"localhost", "localhost:30002", "evil.example:30001", "localhost:030001",
                          "localhost.:30001", "evil@localhost:30001", "localhost:30001:1", ""}) {
    EXPECT_FALSE(IsLocalHost(bad, 30001)) << bad;
  }
}

}  // namespace
}  // namespace cordon::preview
