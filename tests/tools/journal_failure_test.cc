// The undo journal fails once, after a change was made: the call says that it failed, so
// nothing of it stays.
#include "confine/ambient_authority.h"
#include "tests/tools/tool_fixture.h"
#include "undo/journal.h"

namespace cordon::testing {
namespace {

namespace json = boost::json;

// Cannot write how one change ended.
class FailsOnce : public undo::Keeper {
 public:
  explicit FailsOnce(std::shared_ptr<undo::Journal> journal) : journal_(std::move(journal)) {}

  Result<undo::Kept> Begin(const undo::Intent& intent) override { return journal_->Begin(intent); }
  Status End(const undo::Kept& kept, undo::Outcome outcome,
             std::optional<std::uint32_t> mode) override {
    if (good-- != 0) return journal_->End(kept, outcome, mode);
    Error error;
    error.code = ErrorCode::kIoError;
    error.rule = "undo";
    return error;
  }
  Result<undo::Node> Describe(const confine::Probed& probed) const override {
    return journal_->Describe(probed);
  }
  undo::Journal& journal() override { return *journal_; }

  int good = -1;  // before it fails; below 0: it does not any more

 private:
  std::shared_ptr<undo::Journal> journal_;
};

class JournalFails : public ToolTest {
 protected:
  void SetUp() override {
    auto journal = undo::Journal::Open(At("undo"), {}, confine::AmbientAuthority::OfThisProcess());
    ASSERT_TRUE(journal) << journal.error().detail;
    fails_ = std::make_shared<FailsOnce>(*journal);
    keeper_ = fails_;
    WriteFile(At("w/f"), "a\n");
    WriteFile(At("w/g"), "a\n");
    WriteFile(At("w/h"), "a\n");
    Start();
  }
  // Lets each end fail in turn until the call is done; how often it failed.
  int FailEach(std::string_view tool, const json::object& arguments) {
    const std::string before = Tree();
    for (int good = 0; good < 40; ++good) {
      fails_->good = good;
      const tools::Outcome outcome = Call(tool, arguments);
      fails_->good = -1;
      if (outcome) return good;
      EXPECT_EQ(outcome.error().error.rule, "undo") << good;
      EXPECT_FALSE(outcome.error().data.contains("not_taken_back")) << good;
      EXPECT_EQ(Tree(), before) << tool << ", after " << good;
    }
    return -1;
  }
  std::shared_ptr<FailsOnce> fails_;
};

TEST_F(JournalFails, APatchIsTakenBackWhole) {
  // Two directories, a rename with a write, two writes, a deletion.
  EXPECT_EQ(FailEach("apply_patch", {{"patch",
                                      "*** Begin Patch\n*** Update File: f\n@@\n-a\n+x\n"
                                      "*** Add File: n/m/new\n+new\n*** Delete File: h\n"
                                      "*** Update File: g\n*** Move to: n/g\n@@\n-a\n+x\n"
                                      "*** End Patch\n"}}),
            7);
  EXPECT_EQ(ReadFile(At("w/n/g")), "x\n");
  EXPECT_FALSE(Exists(At("w/h")));
}

TEST_F(JournalFails, ACopiedTreeIsTakenBackWhole) {
  WriteFile(At("w/sub/f"), "a\n");
  EXPECT_EQ(FailEach("copy_path", {{"source", "sub"}, {"destination", "n/c"}, {"recursive", true}}),
            3);
  EXPECT_EQ(ReadFile(At("w/n/c/f")), "a\n");
}

}  // namespace
}  // namespace cordon::testing
