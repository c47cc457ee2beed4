#include "serve/chain_check.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "confine/ambient_authority.h"

namespace cordon::serve {
namespace {

constexpr store::Time kFresh = 1000;  // milliseconds that a result is good for
constexpr store::Time kBetween = 30'000;
constexpr store::Time kShare = 20;

}  // namespace

Result<ChainCheck::Checked> ChainCheck::Look() {
  const std::lock_guard lock(mutex_);
  const store::Time now = now_();
  if (last_ && now - last_->when < kFresh) return *last_;
  if (!last_ || now >= all_again_) return LookAtAll(now);
  if (last_->result.damage) return *last_;
  return LookAtNew(now);
}

Result<ChainCheck::Checked> ChainCheck::LookAtAll(store::Time now) {
  TRY_ASSIGN(audit::Verification found,
             audit::Verify(place_, {}, confine::AmbientAuthority::OfThisProcess()));
  const store::Time took = now_() - now;
  all_again_ = now + took + std::max(kBetween, took * kShare);
  last_ = Checked{std::move(found), now};
  return *last_;
}

Result<ChainCheck::Checked> ChainCheck::LookAtNew(store::Time now) {
  const audit::Verification& before = last_->result;
  if (before.last == 0) return LookAtAll(now);
  audit::VerifyOptions options;
  options.first = before.last;
  options.anchors = {{before.last, before.head}};
  TRY_ASSIGN(audit::Verification found,
             audit::Verify(place_, options, confine::AmbientAuthority::OfThisProcess()));
  found.first = before.first;
  if (!found.damage) found.records = before.records + (found.last - before.last);
  last_ = Checked{std::move(found), now};
  return *last_;
}

}  // namespace cordon::serve
