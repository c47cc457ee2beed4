// The names an agent may not touch although they are inside the workspace.
#pragma once

#include <bitset>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/operation.h"
#include "cordon/result.h"
#include "path/name_rules.h"

namespace cordon::policy {

using OperationSet = std::bitset<8>;  // indexed by Operation
OperationSet AllOperations();

// A pattern without "/" names a component anywhere: it covers that entry and all
// below it. A pattern with "/" is anchored at the root and matched component by
// component ("**" for any number of them, at the end for at least one); it, too,
// covers all below a match. "*", "?", "[...]" and "\" work inside a component.
struct DenyRule {
  std::string pattern;
  // Plain names that do not count as the entry the pattern names.
  std::vector<std::string> except;
  // Renaming is refused by every rule, whatever stands here: under another name
  // the entry would be out of the rule's reach.
  OperationSet operations = AllOperations();
  std::string reason;  // for the person; may be empty
  std::string origin;  // where the rule comes from: "default", "credentials", "config.toml:12"
};

// Guarantees: pure, immutable after Compile; a compiled list never fails.
// Thread safety: all methods may run concurrently.
class DenyList {
 public:
  struct Match {
    const DenyRule* rule = nullptr;  // owned by the list
    std::size_t component = 0;       // index as path::Components counts
    std::string_view name;           // the component; views into the path
    // kExact: the rule applies as it stands. Otherwise it applies only where the
    // directory that holds the component compares names by one of these rules.
    path::NameRules when = path::NameRules::kExact;
  };
  struct Verdict {
    std::optional<Match> denied;  // set: refuse
    std::vector<Match> suspects;  // else: refuse if for any of them `when` holds
    bool clear() const { return !denied && suspects.empty(); }
  };

  DenyList();  // denies nothing
  DenyList(DenyList&&) noexcept;
  DenyList& operator=(DenyList&&) noexcept;
  ~DenyList();

  // Errors: kInvalidArguments with the pattern, or the exception, in `component`.
  static Result<DenyList> Compile(std::vector<DenyRule> rules);

  // Judges `path`, relative to the root, "/"-separated; "." and empty parts are
  // ignored. ".." is resolved by text, and every place the path passes through
  // counts, not only where it ends: ".git/../a" is denied. A leading ".." stays
  // at the root. No allocation when the answer is clear at first sight, which is
  // the ordinary case.
  Verdict Check(std::string_view path, Operation operation) const;

  // True if an anchored rule covers something that could lie below `path`, or
  // `path` itself: moving such a directory would carry what is below out of the
  // rule's reach. Rules that follow their entries anywhere do not count. For
  // kRename every anchored rule does, for others those with the operation.
  // Names are taken for one under any name rules: it errs towards true.
  bool CoversBelow(std::string_view path, Operation operation) const;

  const std::vector<DenyRule>& rules() const;

 private:
  struct Compiled;
  std::unique_ptr<const Compiled> compiled_;  // null: denies nothing
};

// `.env`, `.env.*` except the three samples, `.ssh`, `.git`.
std::vector<DenyRule> DefaultDenyRules();
// The wider set: keys, tokens and credential stores by their usual names.
std::vector<DenyRule> CredentialDenyRules();

}  // namespace cordon::policy
