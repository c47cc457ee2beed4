#include "provision/local_home.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "platform/file_io.h"

namespace cordon::provision {
namespace {

class LocalHomesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = "/var/tmp/cordon-homes-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    path_ = name;
    homes_.emplace(LocalHomes::Open(path_ + "/homes").value());
    ASSERT_TRUE(homes_->Make(id_, {}));
  }
  void TearDown() override { std::filesystem::remove_all(path_); }
  std::string Log() const {
    std::ifstream file(homes_->Of(id_) + "/log", std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }

  const SandboxId id_ = SandboxId::Parse("aaaaaaaaaaaaaaaaaaaaaaaaaa").value();
  std::string path_;
  std::optional<LocalHomes> homes_;
};

TEST_F(LocalHomesTest, OfALogThatIsMuchTooLongTheEndIsKept) {
  const platform::UniqueFd log = homes_->OpenLog(id_).value();
  ASSERT_TRUE(platform::WriteAll(log.get(), std::string(20U << 20U, 'a') + "the end"));
  ASSERT_TRUE(homes_->TrimLog(id_));
  EXPECT_LE(Log().size(), 16U << 10U);
  // Whoever had it open goes on behind what was kept.
  ASSERT_TRUE(platform::WriteAll(log.get(), ", and more"));
  EXPECT_TRUE(Log().ends_with("the end, and more"));
}

TEST_F(LocalHomesTest, OtherLogsAreLeftAlone) {
  ASSERT_TRUE(homes_->TrimLog(id_)) << "there is none yet";
  const platform::UniqueFd log = homes_->OpenLog(id_).value();
  ASSERT_TRUE(platform::WriteAll(log.get(), "short"));
  ASSERT_TRUE(homes_->TrimLog(id_));
  EXPECT_EQ(Log(), "short");
}

}  // namespace
}  // namespace cordon::provision
