// The explicit alternative to failing closed: work goes on when the journal cannot.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "undo/keeper.h"

namespace cordon::undo {

// Passes on. Where that fails because of the journal, says so through `warn`; the
// operation then happens and cannot be undone.
class BestEffort : public Keeper {
 public:
  BestEffort(std::shared_ptr<Keeper> next, std::function<void(const std::string&)> warn)
      : next_(std::move(next)), warn_(std::move(warn)) {}

  Result<Kept> Begin(const Intent& intent) override;
  Status End(const Kept& kept, Outcome outcome, std::optional<std::uint32_t> mode) override;
  Result<Node> Describe(const confine::Probed& probed) const override {
    return next_->Describe(probed);
  }
  Journal& journal() override { return next_->journal(); }

 private:
  std::shared_ptr<Keeper> next_;
  std::function<void(const std::string&)> warn_;
};

}  // namespace cordon::undo
