// Root::Search where the files are inside: the visitor is here, each directory is looked at there.
#pragma once

#include <functional>
#include <string_view>

#include "confine/root_elsewhere.h"
#include "confine/search_visitor.h"
#include "provision/inside_channel.h"

namespace cordon::provision {

// Whether it can be an entry's own name, or a path below a directory by such names: what comes
// from inside is put into paths here.
bool IsBareName(std::string_view name);
bool IsPathBelow(std::string_view path);

struct InsideSearch {
  std::string_view untrusted;
  const confine::SearchTerms& terms;
  const confine::Expected& expected;
};

// One directory after the other, in the order of Root::Walk.
Result<confine::SearchOutcome> SearchInside(const confine::RootElsewhere& files, InsideCrew& crew,
                                            const InsideSearch& search,
                                            confine::SearchVisitor& visitor,
                                            const std::function<Status(std::string_view)>& begin);

}  // namespace cordon::provision
