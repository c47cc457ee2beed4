// Boundary::NarrowedTo.
#include <algorithm>
#include <utility>

#include "base/try.h"
#include "guard/boundary.h"
#include "guard/place_rules.h"
#include "path/posix.h"
#include "policy/rules_below.h"

namespace cordon::guard {
namespace {

bool LiesIn(std::string_view path, std::string_view directory) {
  std::string_view rest;
  return path::StripRoot(path, directory, rest);
}

// By text: a name for it that we do not know leaves it out, which is the safe side.
bool IsInside(const Boundary::Place& place, const std::vector<std::string>& directories) {
  const std::vector<std::string>& spellings = place.root->spellings();
  return std::any_of(directories.begin(), directories.end(), [&](const std::string& directory) {
    return std::any_of(spellings.begin(), spellings.end(),
                       [&](const std::string& spelling) { return LiesIn(spelling, directory); });
  });
}

Result<confine::RootOptions> OptionsBelow(const confine::Root& root, std::string_view way) {
  confine::RootOptions options = root.options();
  TRY_ASSIGN(policy::DenyList list,
             policy::DenyList::Compile(policy::RulesBelow(options.deny->rules(), way)));
  options.deny = std::make_shared<const policy::DenyList>(std::move(list));
  return options;
}

// `directory`, where it really is, as a place of its own.
Result<Boundary::Place> Part(const Boundary::Place& place, const std::string& directory) {
  TRY_ASSIGN(const confine::Probed probed, place.root->Probe(directory, Operation::kList));
  TRY_ASSIGN(confine::RootOptions options, OptionsBelow(*place.root, probed.path));
  TRY_ASSIGN(confine::Root root,
             place.root->Subroot(directory, std::move(options), probed.AsExpected()));
  return Boundary::Place{place.zone, std::make_shared<const confine::Root>(std::move(root))};
}

Error NothingRemains() {
  Error error;
  error.code = ErrorCode::kPathOutsideProject;
  error.op = "narrow";
  error.rule = "client-roots";
  error.detail = "none of the client's roots lies inside what the operator allows";
  return error;
}

}  // namespace

Result<Boundary> Boundary::NarrowedTo(const std::vector<std::string>& directories) const {
  if (settings_.protection == policy::Protection::kOff) return *this;
  Boundary narrow = *this;
  narrow.places_.clear();
  std::vector<policy::DenyRule> left_out;
  for (const Place& place : places_) {
    if (IsInside(place, directories)) {
      narrow.places_.push_back(place);
      continue;
    }
    left_out.push_back(LeftOutRule(place.root->real_path()));
    for (const std::string& directory : directories) {
      if (Locate(directory).root != place.root.get()) continue;
      Result<Place> part = Part(place, directory);
      if (!part) continue;  // not there, no directory, denied, or leads out
      const std::string& real = part->root->real_path();
      const bool known =
          std::any_of(narrow.places_.begin(), narrow.places_.end(),
                      [&](const Place& other) { return LiesIn(real, other.root->real_path()); });
      if (!known) narrow.places_.push_back(std::move(*part));
    }
  }
  if (narrow.places_.empty()) return NothingRemains();
  if (left_out.empty() || !outside_) return narrow;
  for (const Place& place : places_) {
    // Of all of the host, all that remains is inside.
    if (place.root->real_path() == "/") narrow.outside_.reset();
  }
  if (!narrow.outside_) return narrow;
  for (const Place& place : narrow.places_) narrow.kept_.push_back(place.root->real_path());
  confine::RootOptions options = outside_->root->options();
  std::vector<policy::DenyRule> rules(options.deny->rules().begin(), options.deny->rules().end());
  rules.insert(rules.end(), left_out.begin(), left_out.end());
  TRY_ASSIGN(policy::DenyList list, policy::DenyList::Compile(std::move(rules)));
  options.deny = std::make_shared<const policy::DenyList>(std::move(list));
  TRY_ASSIGN(confine::Root outside, outside_->root->Subroot("/", std::move(options)));
  narrow.outside_ =
      Place{outside_->zone, std::make_shared<const confine::Root>(std::move(outside))};
  return narrow;
}

}  // namespace cordon::guard
