// A workspace, something outside, and a guard between an agent and both.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "confine/ambient_authority.h"
#include "guard/guard.h"
#include "policy/settings.h"
#include "tests/guard/fake_channel.h"
#include "tests/guard/memory_recorder.h"
#include "tests/support/scratch.h"

namespace cordon::testing {

inline void WriteFile(const std::string& path, std::string_view content) {
  std::ofstream(path) << content;
}

inline std::string ReadFile(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline bool Exists(const std::string& path) {
  struct stat stat;
  return ::lstat(path.c_str(), &stat) == 0;
}

class GuardTest : public ::testing::Test {
 protected:
  using Choice = consent::Choice;
  using Question = consent::Question;

  GuardTest() {
    char* real = ::realpath(scratch_.path().c_str(), nullptr);
    base_ = real;
    ::free(real);  // NOLINT(cppcoreguidelines-owning-memory): realpath's
    for (const char* name : {"w", "w/sub", "o", "o/deep"}) {
      EXPECT_EQ(::mkdir(At(name).c_str(), 0755), 0);
    }
    WriteFile(At("w/a"), "inside");
    WriteFile(At("w/.env"), "secret");
    WriteFile(At("o/f"), "outside");
    WriteFile(At("o/g"), "other");
    WriteFile(At("o/.env"), "secret");
    WriteFile(At("o/deep/h"), "deep");
    settings_.roots = {At("w")};
    settings_.deny = policy::DefaultDenyRules();
  }

  std::string At(const std::string& below) const { return base_ + "/" + below; }

  // With somebody who answers as `reply` says; without it, nobody is there.
  void Start(FakeChannel::Reply reply = {}) {
    std::shared_ptr<consent::Desk> desk;
    if (reply) {
      channel_ = std::make_shared<FakeChannel>(std::move(reply));
      desk =
          std::make_shared<consent::Desk>(std::vector<std::shared_ptr<consent::Channel>>{channel_});
    }
    auto boundary = guard::Boundary::Open(settings_, confine::Resolver::kAuto,
                                          confine::AmbientAuthority::OfThisProcess());
    ASSERT_TRUE(boundary) << boundary.error().detail;
    auto guard = guard::Guard::Start(
        {std::move(*boundary), recorder_, desk, {session_, "agent", "", "", subject_}, keeper_});
    ASSERT_TRUE(guard) << guard.error().detail;
    guard_ = std::move(*guard);
  }
  void StartAnswering(Choice choice) {
    Start([choice](const Question& question) -> Result<Choice> {
      return question.Offers(choice) ? choice : Choice::kDeny;
    });
  }

  Result<std::string> Read(std::string_view path) {
    auto file = guard_->OpenRead({"read_file", policy::ToolKind::kRead, {}}, path);
    if (!file) return std::move(file.error());
    return file->ReadAll(1 << 20);
  }
  Status Write(std::string_view path, std::string_view bytes, guard::WriteOptions options = {}) {
    return guard_->Write({"write_file", policy::ToolKind::kWrite, {}}, path, bytes, options);
  }
  Status Remove(std::string_view path) {
    return guard_->Remove({"delete_path", policy::ToolKind::kDelete, {}}, path);
  }
  template <typename R>
  static std::string CodeOf(const R& result) {
    return result ? "done" : std::string(ErrorCodeName(result.error().code));
  }
  std::size_t Asked() const { return channel_ ? channel_->asked().size() : 0; }
  std::vector<Remembered> Records(audit::Event event) const {
    std::vector<Remembered> some;
    for (const Remembered& record : recorder_->records()) {
      if (record.event == event) some.push_back(record);
    }
    return some;
  }

  Scratch scratch_;
  std::string base_;
  policy::Settings settings_;
  policy::Subject subject_ = policy::Subject::kAgent;
  std::string session_ = "s1";
  std::shared_ptr<undo::Keeper> keeper_;
  std::shared_ptr<MemoryRecorder> recorder_ = std::make_shared<MemoryRecorder>();
  std::shared_ptr<FakeChannel> channel_;
  std::unique_ptr<guard::Guard> guard_;
};

}  // namespace cordon::testing
