// A pattern over a whole path from the root: names and "**".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cordon/result.h"
#include "path/name_rules.h"
#include "policy/pattern.h"

namespace cordon::policy {

// One component of a path, and which one it was in the text it came from.
struct PathPart {
  std::string_view name;
  std::size_t index = 0;
  NameLook look = NameLook::kOdd;
};

// Components joined by "/". "**" is any number of components, none included; at
// the end at least one, so that "a/**" is all below "a" but not "a".
// A leading "/" only says that the pattern is anchored.
class AnchoredPattern {
 public:
  // Errors: kInvalidArguments with the pattern in `component`.
  static Result<AnchoredPattern> Compile(std::string_view text);

  // Reads a path part by part. No allocation unless a part is an alias.
  class Cursor {
   public:
    Cursor(const AnchoredPattern& pattern, std::span<const std::string> except);

    enum class Step { kGoOn, kNever, kCovered, kSuspect };
    // kCovered: the path up to here matches. kSuspect: it does if the parts in
    // suspects() are other spellings; more parts may follow. kNever: nothing
    // below can match.
    Step Next(const PathPart& part);

    // Parts that match only under other name rules, and under which.
    const std::vector<std::pair<PathPart, path::NameRules>>& suspects() const { return suspects_; }

    // True if something below what was read could match, other than what would
    // match from any other directory just as well.
    bool CouldMatchBelow() const;

   private:
    using States = std::uint64_t;  // bit i: element i is next
    States Close(States states) const;

    const AnchoredPattern* pattern_;  // not null
    std::span<const std::string> except_;
    States exact_ = 0;
    States any_ = 0;  // taking aliases for matches
    std::vector<std::pair<PathPart, path::NameRules>> suspects_;
  };

  // A name that every path it matches, in any spelling, has somewhere.
  const NamePattern& NeededName() const;

 private:
  struct Element {
    bool any_depth = false;  // "**"
    NamePattern name;
  };
  std::vector<Element> elements_;
};

}  // namespace cordon::policy
