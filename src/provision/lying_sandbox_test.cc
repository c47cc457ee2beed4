// What a sandbox that lies can do to the server: nothing but fail.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <string>
#include <utility>

#include "confine/search_visitor.h"
#include "inside/file_worker.h"
#include "provision/inside_files.h"

namespace cordon::provision {
namespace {

using confine::FinalSymlink;
using confine::OpenMode;
using confine::Root;
using confine::RootOptions;

Error TimedOut() {
  Error error;
  error.code = ErrorCode::kTimeout;
  return error;
}

RootOptions Options() {
  RootOptions options;
  options.seen_as = "/workspace";
  auto list = policy::DenyList::Compile({});
  EXPECT_TRUE(list);
  options.deny = std::make_shared<const policy::DenyList>(std::move(*list));
  return options;
}

// Counts what a search comes to.
class Counting final : public confine::SearchVisitor {
 public:
  using Note = std::shared_ptr<const confine::SearchNote>;
  Note PassThrough(const confine::SearchDirectory& /*directory*/, Note /*above*/) override {
    ++seen;
    return nullptr;
  }
  Note Enter(std::size_t /*worker*/, const confine::SearchDirectory& /*directory*/, Note /*above*/,
             std::span<confine::SearchEntry> /*entries*/) override {
    ++seen;
    return nullptr;
  }
  void Visit(std::size_t /*worker*/, const confine::SearchDirectory& /*directory*/,
             const confine::SearchEntry& /*entry*/) override {
    ++seen;
  }
  bool Wants(std::string_view /*directory*/, std::string_view /*name*/) const override {
    return true;
  }
  std::atomic<int> seen = 0;
};

// Says what it is told to say, whatever it is asked.
class LyingStream final : public ToolStream {
 public:
  explicit LyingStream(std::string lie) : lie_(std::move(lie)) {}
  Status Send(std::string_view /*bytes*/) override {
    answers_ += begun_ ? lie_ : inside::Framed(inside::FieldWriter(inside::Answer::kDone).Take());
    begun_ = true;
    return {};
  }
  Result<std::string> Receive(std::chrono::milliseconds /*patience*/) override {
    if (answers_.empty()) return TimedOut();
    return std::exchange(answers_, {});
  }

 private:
  const std::string lie_;
  std::string answers_;
  bool begun_ = false;
};

// Whatever a sandbox answers, the server goes on and holds little of it.
TEST(LyingSandboxTest, WhatIsNoAnswerIsAnError) {
  using inside::Answer;
  using inside::FieldWriter;
  platform::FileStat file, device;
  file.type = platform::FileType::kRegular;
  device.type = platform::FileType::kDevice;
  const auto done = [] { return FieldWriter(Answer::kDone); };
  const std::map<std::string, std::string> lies = {
      {"nothing", ""},
      {"no message", "\xff\xff\xff\xff"},
      {"an empty message", std::string("\0\0\0\0", 4)},
      {"another kind", std::string("\0\0\0\2qx", 6)},
      {"no answer", inside::Framed("\x07")},
      {"an error without fields", inside::Framed(FieldWriter(Answer::kError).Take())},
      {"an error of no kind", inside::Framed(FieldWriter(Answer::kError)
                                                 .Byte(200)
                                                 .Byte(0)
                                                 .Number(0)
                                                 .Text("")
                                                 .Text("")
                                                 .Text("")
                                                 .Take())},
      {"bytes behind", inside::Framed(done().Text("x").Byte(0).Byte(0).Take())},
      {"more than one answer",
       inside::Framed(done().Put(file).Take()) + inside::Framed(done().Take())},
      {"a name with a slash", inside::Framed(done().Text("a/b").Byte(1).Take())},
      {"a name that leads up", inside::Framed(done().Text("..").Byte(1).Put(file).Take())},
      {"a path that leads up", inside::Framed(done().Text("a/../../b").Put(file).Take())},
      {"a device", inside::Framed(done().Text("a").Put(device).Number(0).Text("x").Take())},
      {"an endless answer",
       [] {
         std::string all;
         const std::string piece = inside::Framed(std::string(inside::kLongestMessage, 'x'));
         while (all.size() < (std::size_t{40} << 20))
           all.append(piece, 0, inside::kLongestMessage + 4);
         return all;
       }()},
  };
  for (const auto& [name, lie] : lies) {
    SCOPED_TRACE(name);
    const Root root = RootInside(
        [&]() -> Result<std::unique_ptr<ToolStream>> {
          return std::unique_ptr<ToolStream>(std::make_unique<LyingStream>(lie));
        },
        Options());
    EXPECT_FALSE(root.List("."));
    EXPECT_FALSE(root.Walk(".", {}, [](const auto&) { return confine::WalkStep::kContinue; }));
    EXPECT_FALSE(root.Open("a", OpenMode::kRead));
    EXPECT_FALSE(root.Probe("a", Operation::kRead));
    Counting visitor;
    EXPECT_FALSE(root.Search(".", {}, visitor, [](std::string_view) { return Status(); }));
    EXPECT_EQ(visitor.seen, 0);
  }
}

TEST(LyingSandboxTest, OneThatCannotBeStartedIsAnError) {
  Error refused;
  refused.code = ErrorCode::kSandboxRequired;
  const Root root =
      RootInside([&]() -> Result<std::unique_ptr<ToolStream>> { return refused; }, Options());
  EXPECT_EQ(root.Stat("a", FinalSymlink::kFollow).error().code, ErrorCode::kSandboxRequired);
  EXPECT_EQ(root.Replace("a").error().code, ErrorCode::kSandboxRequired);
}

// The worker's own side: a server that is not ours does no more harm than its rules allow.
TEST(FileWorkerTest, WhatIsNoRequestEndsIt) {
  inside::FileWorker worker("/tmp");
  EXPECT_FALSE(worker.Do(""));
  EXPECT_FALSE(worker.Do("\xff"));
  EXPECT_FALSE(worker.Do(inside::FieldWriter(inside::FileOp::kStat).Text("x").Take()));
}

}  // namespace
}  // namespace cordon::provision
