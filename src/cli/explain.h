// Why a path is allowed or refused: the facts, gathered one component at a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/judge.h"
#include "cordon/operation.h"
#include "guard/boundary.h"
#include "path/grammar.h"
#include "policy/decide.h"

namespace cordon::cli {

// Longer paths are judged whole, but only this many components are described.
inline constexpr std::size_t kMaxExplainedComponents = 256;

enum class ComponentKind {
  kEntry,         // there; `type` says what
  kLinkInside,    // a link to something inside
  kLinkDangling,  // a link to inside, where nothing is
  kLinkOutside,   // a link that leads outside; where to is not disclosed
  kLinkDenied,    // a link to something a deny rule covers
  kMissing,
  kDenied,      // hidden by a deny rule: nobody looked whether it is there
  kRefused,     // `error` says why
  kNotReached,  // an earlier component ended the way
};

struct ComponentFact {
  std::string name;
  ComponentKind kind = ComponentKind::kNotReached;
  platform::FileType type = platform::FileType::kUnknown;
  std::string link_text;                   // kLinkInside, kLinkDangling
  const policy::DenyRule* rule = nullptr;  // the deny rule that names it
  std::optional<Error> error;              // kRefused
};

// What the same text means on another system, where it is not the same thing.
struct OtherMeaning {
  path::Grammar grammar = path::Grammar::kWindows;
  std::optional<Error> error;              // refused by the grammar
  std::string path;                        // else: the components it has there
  const policy::DenyRule* rule = nullptr;  // and the rule that would cover it there
  std::string rule_component;
};

struct Explanation {
  Operation operation = Operation::kRead;
  std::string path;
  bool absolute = false;
  policy::Zone zone = policy::Zone::kOutside;
  const confine::Root* root = nullptr;  // null when outside
  std::optional<Error> parse_error;
  std::string below;  // the path below the root, when it parses
  bool must_be_directory = false;
  std::vector<ComponentFact> components;
  std::size_t components_left_out = 0;
  policy::Decision decision;                    // the policy's word, before anything is opened
  const policy::DenyRule* deny_rule = nullptr;  // the deny rule that decides, if one does
  std::vector<OtherMeaning> elsewhere;
  Result<Judged> verdict = Error{};
};

// Guarantees: nothing is created, changed or opened for reading, and nothing
//   outside the boundary is looked at.
Explanation Explain(const guard::Boundary& boundary, Operation operation, std::string_view path);

}  // namespace cordon::cli
