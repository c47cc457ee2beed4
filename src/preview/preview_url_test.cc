#include "preview/preview_url.h"

#include <gtest/gtest.h>

namespace cordon::preview {
namespace {

const SandboxId kId = SandboxId::Parse("abcdefghijklmnopqrstuvwxyz").value();

UrlTerms Production() {
  UrlTerms terms;
  terms.mode = Mode::kProduction;
  terms.domain = "preview.example.com";
  return terms;
}

TEST(PreviewUrl, InDevelopmentIsAPortOfThisMachine) {
  EXPECT_EQ(PreviewUrl(kId, 31234, {}), "http://localhost:31234");
}

TEST(PreviewUrl, InProductionIsANameOfItsOwn) {
  EXPECT_EQ(PreviewUrl(kId, 0, Production()),
            "https://preview-abcdefghijklmnopqrstuvwxyz.preview.example.com");
  EXPECT_EQ(PreviewUrlOfPort(kId, 3000, Production()),
            "https://preview-abcdefghijklmnopqrstuvwxyz-3000.preview.example.com");
  EXPECT_EQ(PreviewUrlOfPort(kId, kUsualPort, Production()), PreviewUrl(kId, 0, Production()));
}

TEST(PreviewUrl, OtherPortsInDevelopmentAreBelowLocalhost) {
  UrlTerms terms;
  terms.listening = 7071;
  EXPECT_EQ(PreviewUrlOfPort(kId, 8080, terms),
            "http://preview-abcdefghijklmnopqrstuvwxyz-8080.localhost:7071");
}

TEST(PreviewUrl, LabelsFitHostNames) {
  EXPECT_LE(PreviewLabel(kId, 65535, Production()).size(), 63u);
}

TEST(PreviewUrl, DomainsAreNames) {
  for (const char* good : {"localhost", "a.b", "preview.example.com", "x-1.y"}) {
    EXPECT_TRUE(IsPreviewDomain(good)) << good;
  }
  for (const char* bad : {"", ".", "a.", ".a", "a..b", "A.b", "a_b", "-a", "a-", "a b", "a/b",
                          "a:1", "*.a", "a\r\nb"}) {
    EXPECT_FALSE(IsPreviewDomain(bad)) << bad;
  }
  EXPECT_FALSE(IsPreviewDomain(std::string(64, 'a')));
  std::string longest(212, 'a');
  for (std::size_t i = 60; i < longest.size(); i += 60) longest[i] = '.';
  EXPECT_TRUE(IsPreviewDomain(longest));
  EXPECT_FALSE(IsPreviewDomain(longest + "a"));
}

}  // namespace
}  // namespace cordon::preview
