// Root::Walk.
#include "base/try.h"
#include "confine/expected_check.h"
#include "confine/refusal.h"
#include "confine/resolution.h"
#include "confine/root.h"
#include "confine/root_elsewhere.h"
#include "confine/temporary_name.h"
#include "confine/tree.h"
#include "confine/visibility.h"

namespace cordon::confine {

Status Root::Walk(std::string_view untrusted, const WalkLimits& limits,
                  const std::function<WalkStep(const WalkEntry&)>& visit,
                  const Expected& expected) const {
  if (state_->elsewhere) return state_->elsewhere->Walk(untrusted, limits, visit, expected);
  TRY_ASSIGN(const path::Request request, path::ParsePosix(untrusted, state_->spellings));
  Resolution resolution(*state_, Operation::kList);
  TRY_ASSIGN(
      platform::UniqueFd start,
      OrStale(expected, resolution.Open({request.text, true}, platform::OpenIntent::kReference,
                                        FinalSymlink::kFollow)));
  TRY(CheckDescriptor(expected, start.get()));
  const std::string base = path::CollapseLexically(resolution.path());
  TreeVisitor visitor;
  visitor.enter = [&](const TreeEntry& entry) -> Result<WalkStep> {
    std::string parent = base;
    if (entry.path.size() > entry.name.size()) {
      if (!parent.empty()) parent += '/';
      parent.append(entry.path, 0, entry.path.size() - entry.name.size() - 1);
    }
    const Visibility visibility(*state_, entry.directory, parent);
    // What may be seen may still not be listed.
    const Visibility lists(*state_, entry.directory, std::move(parent), Operation::kList);
    if (!visibility.Shows(entry.name) || IsTemporary(entry.name)) return WalkStep::kSkipBelow;
    const WalkStep step = visit({entry.path, entry.stat});
    const bool listed = step == WalkStep::kContinue && lists.Shows(entry.name);
    return step == WalkStep::kContinue && !listed ? WalkStep::kSkipBelow : step;
  };
  const auto mounts = state_->options.mounts == policy::Mounts::kRefuse
                          ? platform::MountCrossing::kRefuse
                          : platform::MountCrossing::kAllow;
  return TraverseTree(*state_, std::move(start), limits, mounts, AtMount::kPassOver, visitor);
}

}  // namespace cordon::confine
