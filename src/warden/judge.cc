#include "warden/judge.h"

#include <algorithm>
#include <array>

#include "base/try.h"
#include "sandbox/system_places.h"

namespace cordon::warden {
namespace {

using Access = sandbox::Place::Access;

// What everybody may know of any process.
constexpr std::array<std::string_view, 13> kPublicFacts = {
    "stat",  "status", "cmdline",  "comm",      "statm",         "cgroup",   "sched",
    "wchan", "limits", "loginuid", "oom_score", "oom_score_adj", "schedstat"};

bool Changes(Operation operation) { return !IsReadOnly(operation); }

// The part of `path` below `root`, without a leading slash.
std::string_view Below(std::string_view path, std::string_view root) {
  path.remove_prefix(std::min(root == "/" ? 0 : root.size(), path.size()));
  while (path.starts_with('/')) path.remove_prefix(1);
  return path;
}

bool HoldsAnywhere(const policy::DenyRule& rule) {
  return rule.pattern.find('/') == std::string::npos || rule.pattern.starts_with("**/");
}

constexpr std::string_view kRemoved = " (deleted)";

// As the kernel writes pipes, sockets and the like, which the process has from elsewhere.
bool HasNoPlace(std::string_view path) {
  if (path.starts_with("/memfd:")) return path.ends_with(kRemoved);
  return path.starts_with("anon_inode:") || (!path.starts_with('/') && !path.starts_with('(') &&
                                             path.find(":[") != std::string_view::npos);
}

std::string ParentOf(std::string_view path) {
  const auto slash = path.rfind('/');
  return std::string(slash == 0 || slash == std::string_view::npos ? "/" : path.substr(0, slash));
}

}  // namespace

bool IsWithin(std::string_view path, std::string_view directory) {
  if (directory == "/") return path.starts_with('/');
  return path.starts_with(directory) &&
         (path.size() == directory.size() || path[directory.size()] == '/');
}

std::string Normal(std::string_view path) {
  std::string normal;
  while (!path.empty()) {
    const auto slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      normal.resize(normal.empty() ? 0 : normal.rfind('/'));
    } else {
      normal.append("/").append(part);
    }
  }
  return normal.empty() ? "/" : normal;
}

void Judge::AddPrivate(const sandbox::Spec& spec, View view) {
  if (view == View::kOfHost) {
    for (const char* device : sandbox::kDevices) {
      areas_.push_back({std::string("/dev/") + device, Region::kPrivate, Access::kReadWrite});
    }
    if (spec.terminal == sandbox::TerminalUse::kOwn) {
      areas_.push_back({"/dev/pts", Region::kPrivate, Access::kReadWrite});
    }
    areas_.push_back({"/proc", Region::kPrivate, Access::kRead});
    return;
  }
  for (const char* own : {"/tmp", "/dev", "/proc"}) {
    areas_.push_back({own, Region::kPrivate, Access::kReadWrite});
  }
  if (!spec.home.empty()) {
    areas_.push_back({Normal(spec.home), Region::kPrivate, Access::kReadWrite});
  }
}

Result<Judge> Judge::Make(const sandbox::Spec& spec, View view, int own_process) {
  Judge judge;
  for (const auto& place : spec.places) {
    judge.areas_.push_back({Normal(place.seen_at()), Region::kPlace, place.access});
  }
  for (const auto& place : spec.system) {
    judge.areas_.push_back({Normal(place.path), Region::kSystem, Access::kRead});
    const std::string parent = ParentOf(judge.areas_.back().path);
    if (parent != "/") judge.quiet_.push_back(parent);
  }
  judge.AddPrivate(spec, view);
  // Of the same path the first stays: what is granted beats what is made private.
  std::ranges::stable_sort(
      judge.areas_, [](const Area& a, const Area& b) { return a.path.size() > b.path.size(); });
  for (const std::string& hidden : spec.hidden) judge.hidden_.push_back(Normal(hidden));
  for (const char* quiet : {"/run", "/var", "/sys", "/proc", "/dev"})
    judge.quiet_.emplace_back(quiet);
  judge.own_ = "/proc/" + std::to_string(own_process);
  TRY_ASSIGN(judge.rules_, policy::DenyList::Compile(spec.denied));
  std::vector<policy::DenyRule> anywhere;
  std::ranges::copy_if(spec.denied, std::back_inserter(anywhere), HoldsAnywhere);
  TRY_ASSIGN(judge.anywhere_, policy::DenyList::Compile(std::move(anywhere)));
  return judge;
}

const Judge::Area* Judge::AreaOf(std::string_view path) const {
  const auto found =
      std::ranges::find_if(areas_, [&](const Area& area) { return IsWithin(path, area.path); });
  return found == areas_.end() ? nullptr : &*found;
}

Judgement Judge::Check(std::string_view path, Operation operation) const {
  Judgement judgement;
  if (HasNoPlace(path)) {
    judgement.region = Region::kPrivate;
    return judgement;
  }
  // What was removed keeps its name: under both spellings, for a file may be called so.
  if (path.ends_with(kRemoved)) {
    judgement = Check(path.substr(0, path.size() - kRemoved.size()), operation);
    if (!judgement.clear()) return judgement;
  }
  const auto refuse = [&](std::string rule) {
    judgement.rule = std::move(rule);
    return judgement;
  };
  for (const std::string& hidden : hidden_) {
    if (IsWithin(path, hidden)) return refuse("hidden");
  }
  const Area* area = AreaOf(path);
  judgement.region = area == nullptr ? Region::kOutside : area->region;
  const bool moves = operation == Operation::kDelete || operation == Operation::kRename;
  // Names are judged first: that something is denied says more than that it is outside.
  switch (judgement.region) {
    case Region::kPlace: CheckNames(rules_, area->path, path, operation, judgement); break;
    case Region::kPrivate: CheckNames(anywhere_, area->path, path, operation, judgement); break;
    case Region::kOutside: CheckNames(anywhere_, "/", path, operation, judgement); break;
    case Region::kSystem: break;  // certificates and examples have such names, too
  }
  if (judgement.refused()) return judgement;
  // A place belongs to the directory above it, which is not granted.
  if (area == nullptr || (moves && area->path == path)) return refuse("outside");
  if (Changes(operation) && area->access == Access::kRead) return refuse("read-only");
  if (IsWithin(path, own_)) return refuse(CheckProcess(path));
  return judgement;
}

void Judge::CheckNames(const policy::DenyList& rules, std::string_view root, std::string_view path,
                       Operation operation, Judgement& judgement) const {
  const std::string_view below = Below(path, root);
  const auto verdict = rules.Check(below, operation);
  if (verdict.denied) {
    judgement.rule = "deny:" + verdict.denied->rule->pattern;
    return;
  }
  for (const auto& suspect : verdict.suspects) {
    // The name is a part of the path: what is before it holds it.
    const auto before = static_cast<std::size_t>(suspect.name.data() - path.data());
    std::string holder = Normal(path.substr(0, before));
    judgement.suspects.push_back(
        {std::move(holder), suspect.when, "deny:" + suspect.rule->pattern});
  }
}

// Of the warden itself only what everybody may know anyway.
std::string Judge::CheckProcess(std::string_view path) const {
  const std::string_view fact = Below(path, own_);
  if (fact.empty() || std::ranges::find(kPublicFacts, fact) != kPublicFacts.end()) return {};
  return "process:memory";
}

std::string Judge::KeepsBelow(std::string_view path) const {
  for (const std::string& hidden : hidden_) {
    if (IsWithin(hidden, path)) return "hidden";
  }
  for (const Area& area : areas_) {
    if (IsWithin(area.path, path)) return "outside";
  }
  const Area* area = AreaOf(path);
  if (area == nullptr || area->region != Region::kPlace) return {};
  const bool covers = rules_.CoversBelow(Below(path, area->path), Operation::kRename);
  return covers ? "deny:below" : "";
}

bool Judge::LeadsToPlaces(std::string_view path) const {
  return std::ranges::any_of(areas_, [&](const Area& area) { return IsWithin(area.path, path); });
}

bool Judge::IsQuiet(std::string_view path) const {
  const Area* area = AreaOf(path);
  if (area != nullptr) return true;  // what is granted may simply not be there
  return std::ranges::any_of(quiet_,
                             [&](const std::string& quiet) { return IsWithin(path, quiet); });
}

}  // namespace cordon::warden
