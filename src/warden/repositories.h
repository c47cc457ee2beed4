// Repositories that are not called `.git`: whatever directory git would take for one.
#pragma once

#include <string>

#include "platform/act_for_process.h"
#include "warden/git_paths.h"

namespace cordon::warden {

// Only names that git looks for are looked into; every other costs a comparison.
// Thread safety: none; nobody else changes the tree for the command meanwhile. Another command
//   in the same workspace may.
class Repositories {
 public:
  // `root`: the directory that absolute paths begin at. Both must outlive it.
  Repositories(const platform::ActForProcess& acts, int root) : acts_(acts), root_(root) {}

  // GitPartOf, and for the entries of directories that are repositories under other names the
  // same as in a `.git`. `path`: absolute and real.
  GitPart PartOf(const std::string& path) const;

  // Whether an entry made under this name may turn its directory into a repository, or does not:
  // then hooks and settings that git would obey must not be there already. Settings that are
  // harmless are put into a file that nobody has open. The rule that forbids it, or "".
  std::string RuleOnMaking(const std::string& path) const;

 private:
  platform::UniqueFd Open(const std::string& directory) const;
  bool IsRepository(const std::string& directory) const;
  // Why the directory must not become one, or "".
  std::string RuleOnWhatIsThere(int directory) const;

  const platform::ActForProcess& acts_;
  int root_;
};

}  // namespace cordon::warden
