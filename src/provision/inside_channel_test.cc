// Who reaches the files of a sandbox may be ended at any moment, with everything that runs there.
#include "provision/inside_channel.h"

#include <gtest/gtest.h>

#include <utility>

#include "provision/inside_files.h"
#include "tests/support/files_here.h"
#include "tests/tree.h"

namespace cordon::provision {
namespace {

// Takes the first request, and ends over the next.
class EndingStream final : public ToolStream {
 public:
  Status Send(std::string_view /*bytes*/) override {
    if (begun_) return {};
    answer_ = inside::Framed(inside::FieldWriter(inside::Answer::kDone).Take());
    begun_ = true;
    return {};
  }
  Result<std::string> Receive(std::chrono::milliseconds patience) override {
    if (!answer_.empty() || patience.count() > 0) return std::exchange(answer_, {});
    Error silence;
    silence.code = ErrorCode::kTimeout;
    return silence;
  }

 private:
  std::string answer_;
  bool begun_ = false;
};

class InsideChannelTest : public ::testing::Test {
 protected:
  // The first few end.
  confine::Root Files(int ending) {
    confine::RootOptions options;
    options.seen_as = "/workspace";
    auto list = policy::DenyList::Compile({});
    EXPECT_TRUE(list);
    options.deny = std::make_shared<const policy::DenyList>(std::move(*list));
    return RootInside(
        [this, ending]() -> Result<std::unique_ptr<ToolStream>> {
          if (++started_ <= ending) return std::unique_ptr<ToolStream>(new EndingStream);
          return std::unique_ptr<ToolStream>(std::make_unique<testing::FilesHere>(tree_.path()));
        },
        options);
  }
  testing::Tree tree_;
  int started_ = 0;
};

TEST_F(InsideChannelTest, AQuestionIsAskedOnceMore) {
  const auto stat = Files(1).Stat(".", confine::FinalSymlink::kFollow);
  ASSERT_TRUE(stat) << stat.error().detail;
  EXPECT_EQ(stat->type, platform::FileType::kDirectory);
  EXPECT_EQ(started_, 2);
}

TEST_F(InsideChannelTest, ButNotForEver) {
  EXPECT_FALSE(Files(5).Stat(".", confine::FinalSymlink::kFollow));
  EXPECT_EQ(started_, 2);
}

TEST_F(InsideChannelTest, WhatChangesSomethingIsDoneOnceOrNotAtAll) {
  EXPECT_FALSE(Files(1).Mkdir("a", 0755));
  EXPECT_EQ(started_, 1);
}

}  // namespace
}  // namespace cordon::provision
