// A workspace, a guard, and the journal of what the guard changes.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <memory>
#include <string>

#include "tests/tools/tool_fixture.h"
#include "undo/journal.h"

namespace cordon::testing {

class UndoTest : public ToolTest {
 protected:
  using GuardTest::CodeOf;
  using ToolTest::CodeOf;

  void SetUp() override { StartKeeping(); }

  // A new session over the same workspace and journal, as a new process would be.
  void StartKeeping(const undo::Limits& limits = {}) {
    guard_.reset();
    auto journal =
        undo::Journal::Open(At("state/undo"), limits, confine::AmbientAuthority::OfThisProcess());
    ASSERT_TRUE(journal) << journal.error().detail;
    journal_ = *journal;
    keeper_ = *journal;
    Start();
  }

  guard::Call Changing() const { return {"write_file", policy::ToolKind::kWrite, {}}; }
  std::string Undo(std::string_view arguments = "{}") { return CallCode("undo", arguments); }
  std::size_t Operations() const { return journal_->Read()->operations.size(); }

  std::shared_ptr<undo::Journal> journal_;
};

}  // namespace cordon::testing
