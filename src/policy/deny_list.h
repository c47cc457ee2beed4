// The names an agent may not touch although they are inside the workspace.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
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
// component ("**" for any number of them); it, too, covers all below a match.
// "*", "?", "[...]" and "\" work inside a component.
struct DenyRule {
  std::string pattern;
  std::vector<std::string> except;  // names (no "/") that the pattern does not cover
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
    std::vector<Match> suspects;  // else: refuse where `when` holds
    bool clear() const { return !denied && suspects.empty(); }
  };

  DenyList();  // denies nothing
  DenyList(DenyList&&) noexcept;
  DenyList& operator=(DenyList&&) noexcept;
  ~DenyList();

  // Errors: kInvalidArguments with the pattern in `component`.
  static Result<DenyList> Compile(std::vector<DenyRule> rules);

  // Judges `path`, relative to the root, "/"-separated; "." and empty parts are
  // ignored, ".." counts both as itself and resolved by text, so that neither
  // reading of the path reaches a denied name. No allocation when the answer is
  // clear at first sight, which is the ordinary case.
  Verdict Check(std::string_view path, Operation operation) const;

  // True if a rule covers something that could lie below `path`: moving such a
  // directory would carry what is below out of an anchored rule's reach.
  bool CoversBelow(std::string_view path, Operation operation) const;

  const std::vector<DenyRule>& rules() const;

 private:
  struct Compiled;
  std::vector<DenyRule> rules_;
  std::vector<Compiled> compiled_;
  // By first byte: whether any rule could match a component, in any spelling.
  std::array<bool, 256> interesting_{};
};

// `.env`, `.env.*` except the three samples, `.ssh`, `.git`.
std::vector<DenyRule> DefaultDenyRules();
// The wider set: keys, tokens and credential stores by their usual names.
std::vector<DenyRule> CredentialDenyRules();

}  // namespace cordon::policy
