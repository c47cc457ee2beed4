// The boundary as text alone: a path grammar and a deny list together, for any
// system's paths on any system.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cordon/operation.h"
#include "cordon/result.h"
#include "path/grammar.h"
#include "policy/deny_list.h"

namespace cordon::policy {

struct TextBoundary {
  path::Grammar grammar = path::Grammar::kPosix;
  path::NameRules rules = path::NameRules::kAll;  // of the volume that holds the root
  std::span<const std::string> roots;             // the root's absolute spellings
  const DenyList* deny = nullptr;                 // null: denies nothing
};

// Judges names below the root, "/"-separated. Errors: kPathDenied.
Status CheckNames(const TextBoundary& boundary, std::string_view names, Operation operation);

// Reads `untrusted` and judges it. Where several errors apply, the gravest is
// told: that it leads out, that it is denied, that it is no path.
// Does not look at any file system, so it knows nothing of links.
// Errors: as path::Parse, and kPathDenied.
Result<path::ParsedPath> ReadPath(const TextBoundary& boundary, std::string_view untrusted,
                                  Operation operation);

}  // namespace cordon::policy
