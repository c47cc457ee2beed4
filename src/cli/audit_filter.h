// Which records `cordon audit query` shows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/reader.h"
#include "cordon/result.h"
#include "policy/anchored_pattern.h"
#include "policy/pattern.h"

namespace cordon::cli {

// The pattern language of deny rules, over paths as they stand in the log. Without
// "/" a name anywhere in the path; with a leading "/" an absolute path; else a
// relative path from its beginning, or an absolute one from any directory. What is
// below a match matches, too. No other spelling of a name is taken for it.
class PathFilter {
 public:
  // Errors: kInvalidArguments.
  static Result<PathFilter> Compile(std::string_view text);
  bool Matches(std::string_view path) const;

 private:
  std::optional<policy::NamePattern> name_;
  std::optional<policy::AnchoredPattern> relative_;
  std::optional<policy::AnchoredPattern> absolute_;
};

struct AuditFilter {
  std::optional<std::int64_t> since_ns;  // both included
  std::optional<std::int64_t> until_ns;
  std::optional<std::string> session;
  std::vector<std::string> events;  // any of them; "file." is every event of that kind
  std::optional<std::string> decision;
  std::optional<std::string> tool;
  std::optional<PathFilter> path;  // of the asked, the resolved and the new path

  bool Matches(const audit::Entry& entry) const;
};

// Errors: kInvalidArguments, naming those there are.
Status CheckEventName(std::string_view text);
Status CheckDecisionName(std::string_view text);

}  // namespace cordon::cli
