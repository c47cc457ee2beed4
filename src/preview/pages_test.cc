#include "preview/pages.h"

#include <gtest/gtest.h>

namespace cordon::preview {
namespace {

const SandboxId kId = SandboxId::Parse("abcdefghijklmnopqrstuvwxyz").value();

TEST(Pages, StartingLooksAgainByItself) {
  const Page page = StartingPage();
  EXPECT_EQ(page.status, 503);
  EXPECT_TRUE(page.reload_after);
  EXPECT_NE(page.html.find("http-equiv=\"refresh\""), std::string::npos);
}

TEST(Pages, AClosedPortTellsWhatListens) {
  UrlTerms terms;
  terms.mode = Mode::kProduction;
  terms.domain = "p.example";
  const Page page = ClosedPortPage(kId, 5173, {3000, 8080}, terms);
  EXPECT_EQ(page.status, 502);
  EXPECT_NE(page.html.find("https://preview-" + kId.text() + "-3000.p.example/"),
            std::string::npos);
  EXPECT_NE(page.text.find("3000 8080"), std::string::npos);
  EXPECT_NE(ClosedPortPage(kId, 5173, {}, terms).text.find("Nothing listens in"),
            std::string::npos);
}

TEST(Pages, TheEndIsExplainedAndEscaped) {
  store::Sandbox sandbox{kId};
  sandbox.state = store::SandboxState::kTerminated;
  sandbox.reason = "idle";
  sandbox.message = "<script>alert('x')</script>\r\n&";
  sandbox.memory = store::Sandbox::Memory::kRanOut;
  const Page page = EndedPage(sandbox);
  EXPECT_EQ(page.status, 410);
  EXPECT_EQ(page.html.find("<script>"), std::string::npos);
  EXPECT_NE(page.html.find("&lt;script&gt;"), std::string::npos);
  EXPECT_NE(page.html.find("idle"), std::string::npos);
  EXPECT_NE(page.html.find("out of memory"), std::string::npos);
  EXPECT_EQ(page.text.find('\r'), std::string::npos);
}

TEST(Pages, NobodyLearnsWhetherThereIsOne) {
  EXPECT_EQ(UnknownPage().status, 404);
  EXPECT_EQ(UnknownPage().html, UnknownPage().html);
}

}  // namespace
}  // namespace cordon::preview
