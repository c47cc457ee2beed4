// How far a long call has come, as whoever waits for it is told.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "confine/search_visitor.h"
#include "tests/tools/tool_fixture.h"
#include "tools/searching.h"

namespace cordon::testing {
namespace {

using confine::SearchChoice;
using confine::SearchDirectory;
using confine::SearchEntry;
using confine::SearchNote;

// What was reported; somebody may wait for more of it.
class Reports {
 public:
  std::function<void(const tools::Progress&)> Listener() {
    return [this](const tools::Progress& progress) {
      const std::lock_guard lock(mutex_);
      reports_.push_back(progress);
      changed_.notify_all();
    };
  }
  // False: there were not so many in ten seconds.
  bool Await(std::size_t count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(10),
                             [&] { return reports_.size() >= count; });
  }
  std::vector<tools::Progress> all() const {
    const std::lock_guard lock(mutex_);
    return reports_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<tools::Progress> reports_;
};

// Counts files, and at each waits for a report more.
class SlowVisitor : public confine::SearchVisitor {
 public:
  explicit SlowVisitor(Reports& reports) : reports_(reports) {}
  std::shared_ptr<const SearchNote> PassThrough(const SearchDirectory&,
                                                std::shared_ptr<const SearchNote>) override {
    return nullptr;
  }
  std::shared_ptr<const SearchNote> Enter(std::size_t, const SearchDirectory&,
                                          std::shared_ptr<const SearchNote>,
                                          std::span<SearchEntry> entries) override {
    for (SearchEntry& entry : entries) entry.choice = SearchChoice::kTake;
    return nullptr;
  }
  void Visit(std::size_t, const SearchDirectory&, const SearchEntry&) override {
    const std::uint64_t before = ++visited;
    if (before > 3) return;  // long enough to see it
    if (!reports_.Await(reports_.all().size() + 1)) waited_in_vain = true;
  }
  bool Wants(std::string_view, std::string_view) const override { return true; }

  std::atomic<std::uint64_t> visited{0};
  std::atomic<bool> waited_in_vain{false};

 private:
  Reports& reports_;
};

class ProgressTest : public ToolTest {
 protected:
  ProgressTest() {
    for (int i = 0; i < 5; ++i) WriteFile(At("w/sub/f" + std::to_string(i)), "needle\n");
  }
  Reports reports_;
};

TEST_F(ProgressTest, ASearchTellsHowFarItHasComeAndNothingAfterwards) {
  SlowVisitor visitor(reports_);
  tools::Context context{*guard_, {"grep", policy::ToolKind::kRead, {}}, reports_.Listener()};
  const auto outcome = tools::RunSearch(
      context, "sub", confine::SearchReach::kContents, visitor,
      [&visitor] { return visitor.visited.load(); }, "files searched");
  const std::vector<tools::Progress> told = reports_.all();
  ASSERT_TRUE(outcome);
  EXPECT_FALSE(visitor.waited_in_vain);
  EXPECT_EQ(visitor.visited, 5U);
  ASSERT_GE(told.size(), 2U);
  std::uint64_t before = 0;
  for (const tools::Progress& progress : told) {
    EXPECT_EQ(progress.what, "files searched");
    EXPECT_LE(progress.done, 5U);
    EXPECT_GE(progress.done, before);
    before = progress.done;
  }
  EXPECT_GE(told.back().done, 1U);
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  EXPECT_EQ(reports_.all().size(), told.size()) << "told after it was over";
}

TEST_F(ProgressTest, NobodyWhoListensIsFine) {
  Reports none;
  tools::Context context{*guard_, {"grep", policy::ToolKind::kRead, {}}, {}};
  class Counting : public SlowVisitor {
   public:
    using SlowVisitor::SlowVisitor;
    void Visit(std::size_t, const SearchDirectory&, const SearchEntry&) override { ++visited; }
  } visitor(none);
  EXPECT_TRUE(tools::RunSearch(
      context, "sub", confine::SearchReach::kNames, visitor, [] { return std::uint64_t{0}; }, "x"));
  EXPECT_EQ(visitor.visited, 5U);
}

// A call that waits for a person is a long one, too: that it goes on is told meanwhile.
class ProgressOfAQuestion : public ProgressTest {
 protected:
  ProgressOfAQuestion() { settings_.profile = policy::Profile::kInteractive; }
  void SetUp() override {
    Start([this](const Question&) -> Result<Choice> {
      told_in_time_ = reports_.Await(1);
      return Choice::kOnce;
    });
    options_.progress = reports_.Listener();
  }
  bool told_in_time_ = false;
};

TEST_F(ProgressOfAQuestion, Grep) {
  EXPECT_EQ(CallCode("grep", R"({"pattern": "deep", "path": ")" + At("o") + "\"}"), "done");
  EXPECT_TRUE(told_in_time_);
  EXPECT_EQ(reports_.all()[0].what, "files searched");
  EXPECT_EQ(reports_.all()[0].done, 0U);
}

TEST_F(ProgressOfAQuestion, Glob) {
  EXPECT_EQ(CallCode("glob", R"({"pattern": "**", "path": ")" + At("o") + "\"}"), "done");
  EXPECT_TRUE(told_in_time_);
  EXPECT_EQ(reports_.all()[0].what, "files found");
  EXPECT_EQ(reports_.all()[0].done, 0U);
}

TEST_F(ProgressTest, ACopyTellsEachFile) {
  options_.progress = reports_.Listener();
  EXPECT_EQ(
      CallCode("copy_path", R"({"source": "sub", "destination": "copied", "recursive": true})"),
      "done");
  const std::vector<tools::Progress> told = reports_.all();
  ASSERT_EQ(told.size(), 5U);
  for (std::size_t i = 0; i < told.size(); ++i) {
    EXPECT_EQ(told[i].done, i + 1);
    EXPECT_EQ(told[i].what, "files copied");
  }
}

}  // namespace
}  // namespace cordon::testing
