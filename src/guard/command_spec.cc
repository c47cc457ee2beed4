#include "guard/command_spec.h"

#include <algorithm>
#include <utility>

#include "path/posix.h"
#include "sandbox/command_rules.h"
#include "sandbox/system_places.h"

namespace cordon::guard {
namespace {

using sandbox::Place;

bool IsWithin(std::string_view path, std::string_view directory) {
  std::string_view below;
  return path == directory || path::StripRoot(path, directory, below);
}

bool IsInSome(std::string_view path, const std::vector<Place>& places) {
  return std::any_of(places.begin(), places.end(),
                     [&](const Place& place) { return IsWithin(path, place.path); });
}

std::vector<Place> PlacesOf(const Boundary& boundary) {
  std::vector<Place> places;
  for (const Boundary::Place& place : boundary.places()) {
    // Programs' own data is none of a command's; /tmp is private to it.
    if (place.zone == policy::Zone::kDataDirectory || place.zone == policy::Zone::kTemporary)
      continue;
    const bool writable = place.zone == policy::Zone::kWorkspace &&
                          place.root->options().access == confine::RootAccess::kReadWrite;
    places.push_back(
        {place.root->real_path(), writable ? Place::Access::kReadWrite : Place::Access::kRead});
  }
  return places;
}

// A pattern that means just this path.
std::string Literally(std::string_view path) {
  std::string pattern;
  for (const char c : path) {
    if (c == '*' || c == '?' || c == '[' || c == '\\') pattern += '\\';
    pattern += c;
  }
  return pattern;
}

// What guards the agent is out of reach whether it is there yet or not.
void AddOwn(const policy::Settings& settings, sandbox::Spec& spec) {
  std::vector<std::string> hidden;
  for (const policy::Protected& own : settings.own) {
    for (const Place& place : spec.places) {
      std::string_view below;
      if (!path::StripRoot(own.path, place.path, below)) continue;
      policy::DenyRule rule;
      rule.pattern = Literally(below);
      if (own.names == policy::Protected::Names::kBeginningWith) rule.pattern += '*';
      rule.origin = "cordon";
      if (own.from == policy::Protected::From::kEverything) {
        hidden.push_back(own.path);
      } else {
        rule.operations = sandbox::ChangingOperations();
      }
      if (!below.empty()) spec.denied.push_back(std::move(rule));
    }
  }
  spec.hidden = sandbox::Existing(std::move(hidden));
}

std::string_view ValueOf(const std::vector<std::string>& environment, std::string_view name) {
  for (const std::string& variable : environment) {
    if (variable.size() > name.size() && variable.starts_with(name) &&
        variable[name.size()] == '=') {
      return std::string_view(variable).substr(name.size() + 1);
    }
  }
  return {};
}

// Later ones win.
std::vector<std::string> Joined(std::vector<std::string> first,
                                const std::vector<std::string>& more) {
  for (const std::string& variable : more) {
    const std::string name = variable.substr(0, variable.find('=') + 1);
    std::erase_if(first, [&](const std::string& earlier) { return earlier.starts_with(name); });
    first.push_back(variable);
  }
  return first;
}

}  // namespace

sandbox::Spec SpecFor(const Boundary& boundary, const CommandSupport& support,
                      const CommandTerms& terms, std::string directory, Asking asking) {
  const policy::Settings& settings = boundary.settings();
  sandbox::Spec spec;
  spec.arguments = terms.arguments;
  spec.environment = Joined(support.environment, terms.environment);
  spec.directory = std::move(directory);
  spec.places = PlacesOf(boundary);
  spec.system = sandbox::SystemPlaces(support.home, ValueOf(spec.environment, "PATH"));
  std::erase_if(spec.system, [&](const Place& place) { return IsInSome(place.path, spec.places); });
  // A home that is a workspace, or lies in one, is there already.
  if (!IsInSome(support.home, spec.places)) spec.home = support.home;
  sandbox::CommandRules rules = sandbox::RulesForCommands(settings.deny);
  spec.denied = std::move(rules.denied);
  spec.git = rules.git;
  AddOwn(settings, spec);
  for (std::string& secret : sandbox::SystemSecrets()) spec.hidden.push_back(std::move(secret));
  if (asking == Asking::kSomebody) {
    spec.outside = sandbox::Outside::kAsk;
    spec.listing = sandbox::Listing::kSupervised;
  }
  spec.network = support.network;
  spec.terminal = terms.terminal;
  spec.limits = support.limits;
  if (terms.wall.count() != 0 && (spec.limits.wall.count() == 0 || terms.wall < spec.limits.wall)) {
    spec.limits.wall = terms.wall;
  }
  spec.wanted = support.wanted;
  spec.required = support.required;
  return spec;
}

}  // namespace cordon::guard
