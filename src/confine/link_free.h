// Opening a path that must contain no link: by the kernel in one step, or by a
// walk of one component at a time. Both report the first link instead of
// following it, so that following is done in one place (resolution.h).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "confine/root_state.h"
#include "cordon/error.h"
#include "platform/open.h"
#include "platform/unique_fd.h"
#include "policy/deny_list.h"

namespace cordon::confine {

// A path below the root and what it is wanted for.
struct LinkFreeRequest {
  std::string_view text;  // empty: the root itself
  platform::OpenIntent intent = platform::OpenIntent::kReference;
  platform::MustBe must_be = platform::MustBe::kAnything;
  FinalSymlink final_link = FinalSymlink::kFollow;  // kNoFollow only with kReference
  platform::MountCrossing mounts = platform::MountCrossing::kRefuse;
  // Components to refuse where the directory compares names by their rules.
  std::span<const policy::DenyList::Match> suspects;
};

// The views are parts of LinkFreeRequest::text.
struct FoundLink {
  std::string_view before;  // the path of the directory that holds the link
  std::string_view name;
  std::string_view after;  // what was still to be resolved
  std::string target;      // the link's text
};

// The tree changed while it was looked at: try again.
struct Raced {};

using LinkFreeOutcome = std::variant<platform::UniqueFd, FoundLink, Raced, Error>;

// A descriptor from here named the object at exactly `request.text` below the
// root: no link was passed, ".." never rose above the root.
LinkFreeOutcome OpenByKernel(const RootState& root, const LinkFreeRequest& request);
LinkFreeOutcome OpenByWalk(const RootState& root, const LinkFreeRequest& request);

}  // namespace cordon::confine
