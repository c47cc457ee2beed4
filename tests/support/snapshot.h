// What a file tree looks like, to prove what did and did not change.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::testing {

// Path below the start to type, mode, owner, and content or link text. No link is
// followed and no other file system entered.
using Snapshot = std::map<std::string, std::string>;

// `skip` names an entry of the top directory that is left out.
Snapshot Take(int directory, std::string_view skip = {});
Snapshot Take(const std::string& directory, std::string_view skip = {});

struct Difference {
  std::vector<std::string> added, removed, changed;
  bool empty() const { return added.empty() && removed.empty() && changed.empty(); }
  std::string Text() const;
};
Difference Compare(const Snapshot& before, const Snapshot& after);

}  // namespace cordon::testing
